"use client";

import { createClient, UnauthenticatedError } from "@framedle/leaderboards";
import { useState } from "react";

// This uses the global that Clerk's script sets. In a component under <ClerkProvider> use:
// const { getToken } = useAuth(), and getToken({ skipCache: fresh }).
const getToken = ({ fresh }) => window.Clerk?.session?.getToken({ skipCache: fresh });

const lb = createClient({
  baseUrl: process.env.NEXT_PUBLIC_LEADERBOARDS_URL ?? "http://127.0.0.1:8080",
  getToken,
});

export function Play() {
  const [says, say] = useState("");

  async function play() {
    try {
      const { view } = await lb.submit({ mode: "daily_frame", score: Math.floor(Math.random() * 1000), view: ["around"] });
      say(`You are number ${view.around.rank} of ${view.around.total}.`);
    } catch (error) {
      say(error instanceof UnauthenticatedError ? "Sign in to play." : error.message);
    }
  }

  return (
    <>
      <button onClick={play}>Play a round</button>
      <p role="status">{says}</p>
    </>
  );
}
