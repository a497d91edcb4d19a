import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Leaderboard, Rank } from "@framedle/leaderboards/react";

function App({ api, token }) {
  const [drawn, draw] = useState(0);
  const [chosen, choose] = useState("");
  const [total, count] = useState(0);
  const board = useRef(null);
  return (
    <>
      <Leaderboard ref={board} className="mine" api={api} mode="daily_frame" limit={5} podium live={false} getToken={() => token} onBoard={(page) => count(page.total)} onPlayer={(entry, event) => (event.preventDefault(), choose(entry.player))} />
      <Rank api={api} mode="daily_frame" getToken={() => token} />
      <p id="told">{`${chosen} of ${total}, ${typeof board.current?.played}`}</p>
      <button id="draw" onClick={() => draw(drawn + 1)}>{drawn}</button>
    </>
  );
}

const root = createRoot(document.getElementById("app"));
root.render(<App {...window.given} />);
window.end = () => root.unmount();
