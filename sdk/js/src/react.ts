"use client";
// The elements for React 18 and 19. The web page loads leaderboards.js of a deployment.
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, type ForwardRefExoticComponent, type HTMLAttributes, type RefAttributes } from "react";
import { attributesOf, connect, type Connection } from "./connect.ts";
import type { Elements, LeaderboardAttributes, RankAttributes } from "./elements.ts";

export type { Connection };

type Props<Attributes, Element> = Attributes & Connection & Omit<HTMLAttributes<HTMLElement>, keyof Attributes | keyof Connection> & RefAttributes<Element>;
export type LeaderboardProps = Props<LeaderboardAttributes, Elements["framedle-leaderboard"]>;
export type RankProps = Props<RankAttributes, Elements["framedle-rank"]>;

// On a server there is no layout, and React says so.
const useConnected = typeof window === "undefined" ? useEffect : useLayoutEffect;

function wrapped<Tag extends keyof Elements, Attributes>(tag: Tag): ForwardRefExoticComponent<Props<Attributes, Elements[Tag]>> {
  const component = forwardRef<Elements[Tag], Connection & { className?: string }>(({ getToken, onBoard, onPlayer, onRank, onError, className, ...attributes }, ref) => {
    const element = useRef<Elements[Tag]>(null);
    const latest = useRef<Connection>({});
    latest.current = { getToken, onBoard, onPlayer, onRank, onError };
    useImperativeHandle(ref, () => element.current!);
    // Before the element loads its board, so that it does so once.
    useConnected(() => connect(element.current!, () => latest.current), [!getToken]);
    return createElement(tag, { ...attributesOf({ class: className, ...attributes }), ref: element });
  });
  component.displayName = tag;
  return component as unknown as ForwardRefExoticComponent<Props<Attributes, Elements[Tag]>>;
}

export const Leaderboard = wrapped<"framedle-leaderboard", LeaderboardAttributes>("framedle-leaderboard");
export const Rank = wrapped<"framedle-rank", RankAttributes>("framedle-rank");
