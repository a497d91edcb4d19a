document.getElementById("main").textContent="Leaderboards";
