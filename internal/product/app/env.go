package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// The environment variables that a function reads, and no others.
const (
	envGame           = "GAME"                      // name of a file in games/, without .yaml; framedle when empty
	envRedisURL       = "UPSTASH_REDIS_REST_URL"    // required, unless REDIS_URL is set
	envRedisToken     = "UPSTASH_REDIS_REST_TOKEN"  // with UPSTASH_REDIS_REST_URL, secret
	envPlainRedis     = "REDIS_URL"                 // redis:// or rediss://, secret; only in programs that live for days
	envBandsURLs      = "UPSTASH_REDIS_REST_URLS"   // name=url with commas: further databases for boards in bands; empty: none
	envBandsTokens    = "UPSTASH_REDIS_REST_TOKENS" // with UPSTASH_REDIS_REST_URLS, secret: name=token with commas
	envClerkKey       = "CLERK_JWT_KEY"             // PEM public keys; empty: the published ones
	envClerkIssuer    = "CLERK_ISSUER"              // with session tokens
	envClerkKeysURL   = "CLERK_JWKS_URL"            // where the keys are published; empty: below the issuer, or nowhere with CLERK_JWT_KEY
	envClerkParties   = "CLERK_AUTHORIZED_PARTIES"  // comma-separated origins; empty: any
	envSigningKeys    = "SIGNING_KEYS"              // comma-separated, secret; empty: no game servers
	envDeviceKeys     = "DEVICE_KEYS"               // comma-separated, secret; empty: no anonymous players
	envOpsToken       = "OPS_TOKEN"                 // comma-separated, secret; empty: no operator
	envOperators      = "OPERATORS"                 // name:role:hash with commas; empty: only the holder of OPS_TOKEN
	envScheduleToken  = "SCHEDULE_TOKEN"            // comma-separated, secret; fires schedules if one process serves everything
	envAllowedOrigins = "CORS_ORIGINS"              // comma-separated, or *; empty: no page of another origin
	envMetricsToken   = "METRICS_TOKEN"             // comma-separated, secret; empty: no /metrics; read by programs that run for days
	envNamespace      = "METRICS_NAMESPACE"         // of CloudWatch's metrics; empty: usage.Namespace; read on Lambda only
	envMetrics        = "METRICS"                   // lean or full; lean when empty; read on Lambda only
	envPlan           = "PLAN_COMMANDS"             // commands a month in Upstash's plan; when empty the free plan's, or none with REDIS_URL
	envProxyHops      = "TRUSTED_PROXY_HOPS"        // proxies in front that add to X-Forwarded-For; 0 when empty
	envOriginSecret   = "ORIGIN_SECRET"             // comma-separated, secret; empty: anybody who reaches the function may call it
	envQueueMode      = "QUEUE_MODE"                // on: single scores are queued, and GET /v1/game says so
	envLiveURL        = "LIVE_URL"                  // the container that streams boards; empty: nowhere, unless here
	envMaintenance    = "MAINTENANCE"               // why nothing may be written; empty: Redis says whether
	envSecret         = "SECRET"                    // comma-separated, secret, the first signs cursors; empty: Redis' own
	EnvGraphQL        = "GRAPHQL"                   // off, on or introspection; off when empty; read by processes with GraphQL
	envLambda         = "AWS_LAMBDA_RUNTIME_API"    // set by Lambda
	envMemory         = "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"
)

// Function is one function of the deployment: its part of the API.
type Function struct {
	API     *API
	Handler http.Handler
	Gauges  func(context.Context) []usage.Gauge // the product's state, for /metrics; nil: not known here
}

// RunHTTP builds the App from the process's environment and serves submit or events, which need
// no database, on whatever host it finds. It does not return.
func RunHTTP(function string) {
	RunWith(func(a *App) (Function, error) {
		all := a.API(PostgresParts{})
		return Function{API: all, Handler: all.Intake(function, Services{})}, nil
	})
}

// RunWith is RunHTTP for a function that needs more than the App.
func RunWith(function func(*App) (Function, error)) { RunObserved(Linked{}, function) }

// RunObserved is RunWith for a program that lives for days.
func RunObserved(by Linked, function func(*App) (Function, error)) {
	run(by, func(ctx context.Context, a *App, w watch, ending *host.Ending) error {
		f, err := function(a)
		if err != nil {
			return err
		}
		h, err := a.served(f, w)
		if err != nil {
			return err
		}
		return host.Run(ctx, a.origin.handler(h), ending)
	})
}

// served is a function's handler behind CORS and the meters. The caller puts the origin check
// before it.
func (a *App) served(f Function, w watch) (http.Handler, error) {
	allowed, err := allowedOrigins(Getenv(envAllowedOrigins))
	if err != nil {
		return nil, err
	}
	return WithCORS(allowed, f.API.Methods, w.handler(f)), nil
}

// RunScheduled is RunHTTP for a scheduled function.
func RunScheduled(f func(*App) (host.ScheduledFunc, error)) {
	run(Linked{}, func(ctx context.Context, a *App, w watch, ending *host.Ending) error {
		job, err := f(a)
		if err != nil {
			return err
		}
		return host.RunScheduled(ctx, w.Scheduled(job), ending)
	})
}

func run(by Linked, serve func(context.Context, *App, watch, *host.Ending) error) {
	ctx := context.Background()
	ending := host.ExpectEnding(ctx)
	log := host.NewLog(os.Stderr)
	if os.Getenv(envLambda) == "" { // Lambda has a line of its own
		log.Info("starting", "function", functionName(), "version", Version())
	}
	a, err := FromEnv(ctx, Getenv, log, by)
	observed, wrong := by.observers(functionName(), Getenv, log)
	err = errors.Join(err, wrong)
	if by.settings != nil {
		err = errors.Join(err, by.settings())
	}
	var watched watch
	if err == nil {
		a.parts.Tracer = observed.Tracer
		watched, err = newWatch(a, functionName(), Getenv, os.Stdout, observed.Exporter)
	}
	if err != nil {
		log.Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
	err = serve(ctx, a, watched, ending.Then(watched.ending(log)))
	var sending sync.WaitGroup
	sending.Go(func() { endTraces(ctx, a.parts.Tracer, log, host.AfterRequests) })
	if e := watched.exporter; e != nil {
		sending.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, host.AfterRequests)
			defer cancel()
			e.Close(ctx)
		})
	}
	watched.close(ctx, log, host.AfterRequests)
	sending.Wait()
	if err != nil {
		log.Error("the function has stopped", "error", err.Error())
		os.Exit(1)
	}
}

// FromEnv builds an App, or returns an error that names every wrong variable. It dials
// nothing but the server at REDIS_URL, to see what it is.
func FromEnv(ctx context.Context, getenv func(string) string, log *slog.Logger, by Linked) (*App, error) {
	getenv = trimmed(getenv)
	p := Parts{Now: time.Now, Log: log, Maintenance: getenv(envMaintenance)}
	var errs []error
	check := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	var err error
	check(host.CheckEnv(getenv))
	p.Game, err = LoadGame(getenv(envGame))
	check(err)
	p.Redis, err = redisFrom(ctx, getenv, by)
	check(err)
	p.Bands, err = BandsFrom(getenv, p.Redis)
	check(err)
	p.Secrets, err = secretsFrom(getenv)
	check(err)
	if key, url, iss := pemLines(getenv(envClerkKey)), unquoted(getenv(envClerkKeysURL)), issuer(getenv(envClerkIssuer)); key+url+iss != "" {
		sessions, err := auth.NewSessions(auth.SessionConfig{
			Issuer: iss, AuthorizedParties: origins(getenv(envClerkParties)), PEM: key, JWKSURL: url, Now: p.Now,
			KeysFailed: func(err error) { log.Warn("Clerk's keys could not be fetched", "error", err.Error()) },
		})
		check(err)
		p.Sessions = sessions
	}
	p.Webhooks, err = clerkWebhooks(getenv, p)
	check(err)
	if keys := list(getenv(envSigningKeys)); len(keys) > 0 {
		signatures, err := auth.NewSignatures(keys, p.Now)
		check(err)
		p.Signatures = signatures
	}
	p.Devices, err = devicesFrom(list(getenv(envDeviceKeys)), p)
	check(err)
	p.Operators, err = operatorsFrom(getenv)
	check(err)
	_, err = allowedOrigins(getenv(envAllowedOrigins))
	check(err)
	p.ProxyHops, err = proxyHops(getenv(envProxyHops))
	check(err)
	p.Plan, err = planCommands(getenv)
	check(err)
	p.Queued = getenv(envQueueMode) == "on"
	p.LiveURL, err = liveURL(getenv(envLiveURL))
	check(err)
	p.Events, err = eventsFrom(getenv, p)
	check(err)
	origin, err := newOrigin(list(getenv(envOriginSecret)))
	check(err)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	a := New(p)
	a.origin = origin
	return a, nil
}

// operatorsFrom makes the verifier of operators' tokens; nil if nobody is one.
func operatorsFrom(getenv func(string) string) (operators *auth.Operators, err error) {
	if tokens := list(getenv(envOpsToken)); len(tokens) > 0 {
		operators, err = auth.NewOperators(tokens...)
	}
	entries := list(getenv(envOperators))
	if len(entries) == 0 {
		return operators, err
	}
	operators, named := operators.With(entries...)
	return operators, errors.Join(err, named)
}

// minSharedSecret is the length in characters of each secret of SECRET.
const minSharedSecret = 32

// secretsFrom are the secrets for cursors and open ids; the first one signs. Without SECRET,
// the credential of Redis is used: every function has it, and nobody else does.
func secretsFrom(getenv func(string) string) ([]string, error) {
	own := list(getenv(envSecret))
	for _, secret := range own {
		if len(secret) < minSharedSecret {
			return nil, fmt.Errorf("%s has a secret of %d characters: use at least %d, separated by commas", envSecret, len(secret), minSharedSecret)
		}
	}
	if len(own) == 0 {
		if address := getenv(envPlainRedis); address != "" && len(passwordOf(address)) < minSharedSecret {
			return nil, fmt.Errorf("%s is empty, and the password in %s has fewer than %d characters: give at least %[3]d, such as those of openssl rand -hex 32", envSecret, envPlainRedis, minSharedSecret)
		}
		own = []string{getenv(envRedisToken) + getenv(envPlainRedis)}
	}
	return own, nil
}

// proxyHops reads how many proxies are in front of the host.
func proxyHops(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 10 {
		return 0, fmt.Errorf("%s is %.20q: use a number from 0 to 10", envProxyHops, text)
	}
	return n, nil
}

// liveURL reads the address to which /v1/live is appended for streams.
func liveURL(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", fmt.Errorf("%s is %.80q: use the address of the process that streams boards, without a path, such as https://live.example.com", envLiveURL, text)
	}
	return u.Scheme + "://" + u.Host, nil
}

// LoadGame reads a game that is built in, by name.
func LoadGame(name string) (*game.Game, error) {
	if name == "" {
		name = "framedle"
	}
	text, err := games.FS.ReadFile(name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("%s: unknown game %q: use one of %s, or put %s.yaml into games/ and rebuild", envGame, name, strings.Join(gameNames(), ", "), name)
	}
	return gamefile.Parse("games/"+name+".yaml", text)
}

// gameNames are the names of all games that are built in, sorted.
func gameNames() []string {
	names, _ := fs.Glob(games.FS, "*.yaml") // the pattern is a right one
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".yaml")
	}
	return names
}

// devicesFrom makes the verifier of device tokens; nil without keys. If the game has
// anonymous players, each function that takes session tokens needs it.
func devicesFrom(keys []string, p Parts) (*auth.Devices, error) {
	if len(keys) > 0 {
		return auth.NewDevices(keys)
	}
	if p.Game != nil && p.Game.Anonymous && p.Sessions != nil {
		return nil, fmt.Errorf("%s is empty, and the game %s has anonymous players: use a key of at least 32 characters", envDeviceKeys, p.Game.Name)
	}
	return nil, nil
}
