import { readFileSync, writeFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** What is imported inline stands in the manifest by where it lies on this machine: the build is to be the same on any. */
const anywhere = {
  name: "anywhere",
  writeBundle({ dir }: { dir?: string }) {
    const manifest = `${dir}/manifest.json`;
    writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll(`${process.cwd()}/`, ""));
  },
};

// The build is committed: the same sources make the same bytes, and `make web-check` compares.
export default defineConfig({
  root: ".",
  base: "/app/~/static/",
  plugins: [react(), anywhere],
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
