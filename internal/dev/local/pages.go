package local

// localConfig is the content of config.js here: it enables sign-in by name and sending a
// score.
const localConfig = "window.framedle = { local: true };\n"
