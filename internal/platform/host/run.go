package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
)

const (
	// requestTimeout is the time limit of a plain HTTP request: the 30 s after which API
	// Gateway gives up on a function, less a second to answer in.
	requestTimeout = 29 * time.Second
	// scheduledTimeout is the longest a Lambda function may run.
	scheduledTimeout = 15 * time.Minute
)

// ErrNoHost is returned when neither Lambda nor a port was found.
var ErrNoHost = errors.New("no host found: AWS_LAMBDA_RUNTIME_API (set by Lambda) and PORT (set by Cloud Run) are both empty; for a local server set PORT, as in PORT=8080")

// maxDrain bounds DRAIN_SECONDS.
const maxDrain = 5 * time.Minute

// CheckEnv returns an error if a variable is wrong that [Run] reads outside of Lambda.
func CheckEnv(getenv func(string) string) error {
	if getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		return nil
	}
	var errs []error
	if port := getenv("PORT"); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			errs = append(errs, fmt.Errorf("PORT is %.20q: use a number from 1 to 65535", port))
		}
	}
	_, err := drainTime(getenv)
	return errors.Join(append(errs, err)...)
}

// drainTime is how long requests are still taken after the process was asked to stop, so that
// a load balancer notices that it is not ready before connections are refused.
func drainTime(getenv func(string) string) (time.Duration, error) {
	text := getenv("DRAIN_SECONDS")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if drain := time.Duration(n) * time.Second; err == nil && n >= 0 && drain <= maxDrain {
		return drain, nil
	}
	return 0, fmt.Errorf("DRAIN_SECONDS is %.20q: use a number from 0 to %d", text, int(maxDrain.Seconds()))
}

// Run serves h on the host that the environment names, until ctx ends or the process is
// stopped:
//
//   - AWS_LAMBDA_RUNTIME_API set: Lambda. Run does not return; the runtime ends
//     the process. If ending is not nil, its functions are called before that,
//     and have 500 ms; without it Lambda does not warn.
//   - PORT set (1 to 65535): plain HTTP on that port, on the address in HOST or,
//     as Cloud Run requires, on all of them. SIGTERM and SIGINT stop it:
//     DRAIN_SECONDS later it takes no more requests, those under way get 7 s, and
//     Run returns nil. ReadyPath says whether it takes requests.
//   - neither: ErrNoHost.
func Run(ctx context.Context, h http.Handler, ending *Ending) error {
	collectLess(os.Getenv)
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		runLambda(ctx, Adapter(h, os.Stderr), ending)
		return nil
	}
	return runHTTP(ctx, Guard(h, os.Stderr), requestTimeout)
}

// RunScheduled runs f whenever the schedule fires: on Lambda for each EventBridge
// event, elsewhere for each POST / on PORT (Cloud Scheduler). Environment and
// errors are those of Run. On Cloud Run the service must not allow
// unauthenticated calls: the platform, not f, checks who calls.
func RunScheduled(ctx context.Context, f ScheduledFunc, ending *Ending) error {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		runLambda(ctx, ScheduledAdapter(f, os.Stderr), ending)
		return nil
	}
	scheduled := ScheduledHandler(f, time.Now, os.Stderr, false)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			writeProblem(w, r, http.StatusNotFound, "a scheduled function is called with POST /")
			return
		}
		scheduled.ServeHTTP(w, r)
	})
	return runHTTP(ctx, Guard(h, os.Stderr), scheduledTimeout)
}

func runLambda(ctx context.Context, f InvokeFunc, ending *Ending) {
	if err := ending.await(); err != nil {
		NewLog(os.Stderr).Warn("the process will end without a warning", "error", err.Error())
	}
	lambda.StartWithOptions(f, lambda.WithContext(ctx))
}

// InvokeFunc answers one Lambda event. It is safe for concurrent use and never
// panics.
type InvokeFunc func(ctx context.Context, event []byte) ([]byte, error)

// Invoke makes an InvokeFunc a handler for the runtime loop of aws-lambda-go.
func (f InvokeFunc) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	return f(ctx, event)
}

// EventError says that an event is not one the function can answer. Lambda shows
// its name as the error type of the invocation.
type EventError struct {
	// Reason says what is wrong and what would be right. It never holds any part
	// of the event.
	Reason string
}

func (e *EventError) Error() string { return e.Reason }
