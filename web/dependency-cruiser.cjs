/* The floors of the application: a screen takes parts, editor and api, never another screen; what is below knows nothing above. */
const floor = (name, from, to, comment) => ({ name, severity: "error", comment, from, to });
module.exports = {
  forbidden: [
    floor("api-knows-nobody", { path: "^api/" }, { path: "^(editor|parts|screens|main)" }, "the client of /v1 has no screen"),
    floor("editor-has-no-screen", { path: "^editor/" }, { path: "^(api|parts|screens|main)" }, "documents and texts, without the network"),
    floor("parts-know-no-business", { path: "^parts/" }, { path: "^(api|editor|screens|main)" }, "a part is given what it shows"),
    floor(
      "screens-know-no-screens",
      { path: "^screens/([^/]+)/" },
      { path: "^(screens/|main)", pathNot: "^screens/$1/" },
      "what two screens need is a part, or of the api",
    ),
    floor("no-circles", {}, { circular: true }, "nobody can read a circle"),
    floor("editor-when-written", { path: "^(main|parts/|api/|screens/frame/)" }, { path: "@codemirror|prosemirror" }, "loaded when somebody writes"),
    floor("nothing-missing", {}, { couldNotResolve: true }, "every import is there"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"], extensions: [".ts", ".tsx", ".d.ts", ".mjs", ".js"] },
  },
};
