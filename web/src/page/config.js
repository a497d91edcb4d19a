// How this page finds the API and its players: see docs/build/web.md. As it is, the API is at
// the page's own address and nobody signs in.
window.framedle = {};
