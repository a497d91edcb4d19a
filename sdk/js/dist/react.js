"use client";
// The elements for React 18 and 19. The web page loads leaderboards.js of a deployment.
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { attributesOf, connect } from "./connect.js";
// On a server there is no layout, and React says so.
const useConnected = typeof window === "undefined" ? useEffect : useLayoutEffect;
function wrapped(tag) {
    const component = forwardRef(({ getToken, onBoard, onPlayer, onRank, onError, className, ...attributes }, ref) => {
        const element = useRef(null);
        const latest = useRef({});
        latest.current = { getToken, onBoard, onPlayer, onRank, onError };
        useImperativeHandle(ref, () => element.current);
        // Before the element loads its board, so that it does so once.
        useConnected(() => connect(element.current, () => latest.current), [!getToken]);
        return createElement(tag, { ...attributesOf({ class: className, ...attributes }), ref: element });
    });
    component.displayName = tag;
    return component;
}
export const Leaderboard = wrapped("framedle-leaderboard");
export const Rank = wrapped("framedle-rank");
