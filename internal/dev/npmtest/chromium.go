package npmtest

import (
	"fmt"
	"os"
	"os/exec"
)

// Chromium returns the browser in which tests open pages. It looks where scripts/chromium.sh looks:
// the shell first, which makes no window for each page and so takes half the time.
func Chromium() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium is on PATH: run scripts/chromium.sh, or name one in CHROMIUM")
}
