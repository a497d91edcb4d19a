const handlers = { board: "onBoard", player: "onPlayer", rank: "onRank", error: "onError" };
/** connect connects an element to what `current` returns at the time, and returns the function that ends that. */
export function connect(element, current) {
    const stop = new AbortController();
    for (const [name, handler] of Object.entries(handlers)) {
        const listen = (event) => current()[handler]?.(event.detail, event);
        element.addEventListener("framedle:" + name, listen, { signal: stop.signal });
    }
    if (current().getToken)
        element.getToken = (asked) => current().getToken?.(asked) ?? null;
    return () => {
        stop.abort();
        if (element.getToken)
            element.getToken = undefined;
    };
}
/** attributesOf writes attributes as HTML has them: what is true is there, what is false is not. */
export function attributesOf(given) {
    return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === false || value == null ? [] : [[name, value === true ? "" : value]])));
}
