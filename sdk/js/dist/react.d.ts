import { type ForwardRefExoticComponent, type HTMLAttributes, type RefAttributes } from "react";
import { type Connection } from "./connect.ts";
import type { Elements, LeaderboardAttributes, RankAttributes } from "./elements.ts";
export type { Connection };
type Props<Attributes, Element> = Attributes & Connection & Omit<HTMLAttributes<HTMLElement>, keyof Attributes | keyof Connection> & RefAttributes<Element>;
export type LeaderboardProps = Props<LeaderboardAttributes, Elements["framedle-leaderboard"]>;
export type RankProps = Props<RankAttributes, Elements["framedle-rank"]>;
export declare const Leaderboard: ForwardRefExoticComponent<Props<LeaderboardAttributes, import("./elements.ts").LeaderboardElement>>;
export declare const Rank: ForwardRefExoticComponent<Props<RankAttributes, import("./elements.ts").RankElement>>;
