document.getElementById("main")!.textContent = "Operations";
