package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/tcpredis"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// placeFlags say where the boards, the history and the game are. Every command that works on
// them directly has these flags.
type placeFlags struct {
	game, database, now, as string
}

const historyPlaces = `
The boards are in the Redis of $UPSTASH_REDIS_REST_URL and _TOKEN, or in that of
$REDIS_URL (redis:// or rediss://); the archive is in the Postgres at --database-url or $DATABASE_URL; the game is the file --game or, by name,
$GAME. Boards in bands may also be in the databases of $UPSTASH_REDIS_REST_URLS and
_TOKENS, which have to be those of the functions.
`

func (f *placeFlags) add(flags *pflag.FlagSet) {
	f.addGame(flags)
	flags.StringVar(&f.database, "database-url", "", "`address` of the database, as postgres://user:password@host/name")
	flags.StringVar(&f.as, "as", "", "your `name` for the audit log (default $USER)")
	flags.StringVar(&f.now, "now", "", "override the current `time`, as 2026-11-21T00:20:00Z, for a product with a shifted clock")
}

func (f *placeFlags) addGame(flags *pflag.FlagSet) {
	flags.StringVar(&f.game, "game", "", "game `file`; by default the built-in one that $GAME names, or framedle")
}

// places are the boards and the history, and both sides of what is kept of players.
type places struct {
	*closing.Closing
	sides *closing.Sides
	jobs  *jobs.Jobs
	actor string // in the audit
	app   *app.App
}

// open opens the boards and the history. It refuses boards that are kept under another game's
// rules.
func (f *placeFlags) open(ctx context.Context, c console) (*places, error) {
	actor, err := f.actor(c)
	if err != nil {
		return nil, err
	}
	a, err := f.boards(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := rightGame(ctx, a); err != nil {
		return nil, err
	}
	history, err := f.history(c)
	if err != nil {
		return nil, err
	}
	if history == nil {
		return nil, errNoDatabase
	}
	job := bothSides(a, history)
	job.actor = actor
	return job, nil
}

func bothSides(a *app.App, history *archive.Archive) *places {
	j := jobs.New(a, history)
	return &places{Closing: j.Closing(), sides: jobs.Sides(a, history), jobs: j, actor: "lbctl", app: a}
}

// actor is who acts with this tool, in the audit.
func (f *placeFlags) actor(c console) (string, error) {
	if err := auth.ValidOperator(f.as); f.as != "" && err != nil {
		return "", fmt.Errorf("--as: %w", err)
	}
	name := cmp.Or(f.as, c.getenv("USER"))
	if auth.ValidOperator(name) != nil {
		name = "" // the name of the user on this machine may be anything
	}
	return strings.TrimSpace("lbctl " + name), nil
}

// rightGame returns why these boards cannot be made or compared by this game: they
// are kept by the rules of another, such as that of the default name, or by others of
// the same.
func rightGame(ctx context.Context, a *app.App) error {
	halt, err := control.ReadHalt(ctx, a.Redis(), a.Game(), a.Now())
	changed := (*ruleset.ChangedError)(nil)
	sameGame := errors.As(halt.Rules, &changed) && !slices.ContainsFunc(changed.Changes, func(c ruleset.Change) bool { return c.Path == "name" })
	switch {
	case err != nil || halt.Rules == nil:
	case sameGame:
		err = fmt.Errorf("these are not the rules that the boards of the game %s use; name the deployed file with --game FILE, or see lbctl game diff --redis: %w", a.Game().Name, halt.Rules)
	default:
		err = fmt.Errorf("%s is not the game of these boards; name theirs with --game FILE or $GAME, or see lbctl game diff --redis: %w", a.Game().Name, halt.Rules)
	}
	return err
}

// boards opens the product without its history.
func (f *placeFlags) boards(ctx context.Context, c console) (*app.App, error) {
	g, err := f.load(c)
	if err != nil {
		return nil, err
	}
	redis, err := redisFrom(ctx, c, deployed)
	if err != nil {
		return nil, err
	}
	return f.openOn(g, redis, c)
}

// openOn makes the product of a game and a Redis.
func (f *placeFlags) openOn(g *game.Game, redis *upstash.Client, c console) (*app.App, error) {
	now := time.Now
	if f.now != "" {
		at, err := parseNow(f.now)
		if err != nil {
			return nil, err
		}
		now = func() time.Time { return at }
	}
	further, err := app.BandsFrom(c.getenv, redis)
	if err != nil {
		return nil, err
	}
	return app.New(app.Parts{Game: g, Redis: redis, Bands: further, Now: now, Log: slog.New(slog.NewTextHandler(c.stderr, nil))}), nil
}

var errNoDatabase = errors.New("no database: use --database-url, or set DATABASE_URL")

func parseNow(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--now %s: use a form like 2026-11-21T00:20:00Z", text)
	}
	return at, nil
}

// history opens the history; nil if none is named.
func (f *placeFlags) history(c console) (*archive.Archive, error) {
	return jobs.OpenArchive(cmp.Or(f.database, c.getenv(jobs.EnvDatabase)), 2)
}

func (f *placeFlags) load(c console) (*game.Game, error) {
	if f.game == "" {
		return app.LoadGame(c.getenv("GAME"))
	}
	return readGame(f.game)
}

func readGame(path string) (*game.Game, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return gamefile.Parse(path, text)
}

// modesUsage is the text of a flag for [modesNamed].
const modesUsage = "`modes`, separated by commas (default all)"

// modesNamed returns the modes of a list of names; nil for an empty list.
func modesNamed(g *game.Game, names string) ([]*game.Mode, error) {
	if names == "" {
		return nil, nil
	}
	var modes []*game.Mode
	for name := range strings.SplitSeq(names, ",") {
		m, ok := g.ModeCalled(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("the game %s has no mode %q", g.Name, name)
		}
		modes = append(modes, m)
	}
	return modes, nil
}

// names are the variables that say where a Redis is: at Upstash, or a server of one's own.
type names struct{ url, token, plain string }

var (
	deployed = names{"UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN", "REDIS_URL"}
	target   = names{"UPSTASH_TARGET_REST_URL", "UPSTASH_TARGET_REST_TOKEN", "REDIS_TARGET_URL"}
)

// address is where the variables say the Redis is; "" if they name none.
func (n names) address(c console) string { return cmp.Or(c.getenv(n.url), c.getenv(n.plain)) }

// host is the address without secrets, with the number of a database that is not the first; ""
// if the variables name none.
func (n names) host(c console) string {
	u, err := url.Parse(n.address(c))
	if err != nil {
		return ""
	}
	path := strings.TrimSuffix(u.Path, "/")
	if path == "/0" {
		path = ""
	}
	return u.Host + path
}

// redisFrom opens the Redis that variables of the environment name.
func redisFrom(ctx context.Context, c console, n names) (*upstash.Client, error) {
	settings := upstash.Config{URL: c.getenv(n.url), Token: c.getenv(n.token), Timeout: time.Minute}
	switch plain := c.getenv(n.plain); {
	case plain == "" && settings.URL == "":
		return nil, fmt.Errorf("no Redis: set %s and %s, or %s", n.url, n.token, n.plain)
	case plain == "":
		return upstash.New(settings)
	case settings.URL+settings.Token != "":
		return nil, fmt.Errorf("%s and %s are both set: unset one of them", n.url, n.plain)
	default:
		client, err := tcpredis.Open(ctx, plain, settings)
		if err != nil {
			err = fmt.Errorf("%s: %w", n.plain, err)
		}
		return client, err
	}
}

// note writes to the audit what was done by hand.
func (p *places) note(ctx context.Context, action string, what ...string) error {
	return p.noteOf(ctx, action, "", map[string]any{"what": what})
}

// noteOf is note for what was done to a player.
func (p *places) noteOf(ctx context.Context, action, player string, about map[string]any) error {
	detail, err := json.Marshal(about)
	if err != nil {
		return err
	}
	return p.Archive.Audit.Put(ctx, archive.AuditEntry{
		Act: game.Act{ID: rand.Text(), Actor: p.actor, At: p.Now()}, Action: action, Player: player, Detail: detail,
	})
}
