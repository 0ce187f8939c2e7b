import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The build is committed: the same sources make the same bytes, and `make web-check` compares.
export default defineConfig({
  root: ".",
  base: "/app/~/static/",
  plugins: [react()],
  build: {
    outDir: "../src/octavo/app/static",
    emptyOutDir: true,
    assetsDir: "",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    target: "es2022",
    // Browsers that know light-dark(), which published pages use as well.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: "manifest.json",
    reportCompressedSize: false,
    rolldownOptions: { output: { entryFileNames: "[name].[hash].js", chunkFileNames: "[name].[hash].js", assetFileNames: "[name].[hash][extname]" } },
  },
  test: { environment: "happy-dom", include: ["**/*.test.{ts,tsx}"], exclude: ["node_modules/**"] },
});
