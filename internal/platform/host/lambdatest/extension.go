package lambdatest

import (
	"fmt"
	"io"
	"net/http"
	"syscall"
	"time"
)

// endTime is how long a function with an internal extension has to end:
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-shutdown
const endTime = 500 * time.Millisecond

const extensionBase = "/2020-01-01/extension/"

// registerExtension registers an extension. It gets no events.
func (a *runtimeAPI) registerExtension(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	known := a.extension
	a.extension = true
	started := a.started
	a.mu.Unlock()
	if known || started || r.Header.Get("Lambda-Extension-Name") == "" {
		refuse(w, http.StatusForbidden, "Extension.InvalidExtensionState", "an extension has a name and registers once, before the first call of next")
		return
	}
	w.Header().Set("Lambda-Extension-Identifier", "00000000-0000-4000-8000-000000000000")
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{}") // the function may have ended
}

func (a *runtimeAPI) nextOfExtension(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// End ends the function as Lambda does when it no longer needs it: with SIGTERM and 500 ms if
// the function has registered an extension, otherwise without a warning.
func (f *Function) End() error {
	f.api.mu.Lock()
	warned := f.api.extension
	f.api.mu.Unlock()
	if warned {
		if err := f.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return fmt.Errorf("ending the function: %w", err)
		}
		select {
		case <-f.exited:
		case <-time.After(endTime):
		}
	}
	return f.kill()
}
