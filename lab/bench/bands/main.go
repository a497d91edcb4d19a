// Command bands measures a board of many millions of players over bands in several
// databases: memory, updates a second, what a submission and a rank cost and how long
// they take, and a split while others play. It compares ranks with a sorted slice. The
// databases are real ones, started for the run, and used over the Redis protocol.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
)

func main() {
	b := &bench{board: bands.Board{Key: "lb:race:alltime", Order: game.Desc}}
	flag.IntVar(&b.players, "n", 20_000_000, "players of the board, up to 2^31")
	databases := flag.Int("databases", 4, "databases")
	flag.IntVar(&b.inBand, "band", 500_000, "players of a band, about")
	flag.IntVar(&b.workers, "workers", 4, "batches on their way at once")
	flag.IntVar(&b.updates, "updates", 2_000_000, "scores of players who are on the board, half of them better")
	flag.IntVar(&b.singles, "singles", 5_000, "submissions and ranks one by one")
	flag.Parse()
	if err := b.run(context.Background(), *databases); err != nil {
		fmt.Fprintln(os.Stderr, "bands:", err)
		os.Exit(1)
	}
}

type bench struct {
	board                    bands.Board
	players, inBand, workers int
	updates, singles         int

	servers []*redisd.Server
	clients []*upstash.Client
	dbs     *bands.Databases
	bands   *bands.Bands
	scores  []float64 // by player
}

func (b *bench) run(ctx context.Context, databases int) (err error) {
	defer func() {
		for _, s := range b.servers {
			err = errors.Join(err, s.Stop())
		}
	}()
	if err := b.start(ctx, databases); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.load, b.memory, b.check, b.update, b.check, b.one, b.split, b.check} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) start(ctx context.Context, databases int) error {
	var all []bands.Database
	for n := range databases {
		server, err := redisd.Start(ctx, redisd.Options{})
		if err != nil {
			return err
		}
		b.servers = append(b.servers, server)
		transport, err := redistransport.New(server.URL())
		if err != nil {
			return err
		}
		client, err := upstash.New(upstash.Config{Transport: transport, Timeout: time.Minute})
		if err != nil {
			return err
		}
		b.clients = append(b.clients, client)
		all = append(all, bands.Database{Name: fmt.Sprint("db", n), Redis: client})
	}
	var err error
	if b.dbs, err = bands.NewDatabases(all...); err != nil {
		return err
	}
	b.bands = b.process(0)
	var edges []float64
	for n := b.players / b.inBand; n > 1; n-- { // first spreads scores evenly over 2^32
		edges = append(edges, float64(uint64(n-1)*(1<<32)/uint64(b.players/b.inBand)))
	}
	return b.bands.Create(ctx, b.board, bands.Birth{Homes: 32, Edges: edges})
}

// process is a process with a memory of its own; the others learn of a change of layout
// within grace.
func (b *bench) process(grace time.Duration) *bands.Bands {
	began := time.Now()
	return bands.New(b.dbs, bands.Settings{Now: time.Now, Elapsed: func() time.Duration { return time.Since(began) }, Grace: grace})
}

// name is a player's id, as long as Clerk's.
func name(player int) string { return fmt.Sprintf("user_%023d", player) }

// first is a player's first score: an odd number times the player's number, so that no
// two are equal.
func first(player int) float64 { return float64(uint32(player) * 2654435761) }

// spent is how many commands were sent to all databases.
func (b *bench) spent() (n int64) {
	for _, c := range b.clients {
		n += c.Meter().Usage().Commands
	}
	return n
}

// check compares the ranks of some players with the sorted slice.
func (b *bench) check(ctx context.Context) error {
	began := time.Now()
	sorted := slices.Clone(b.scores)
	slices.Sort(sorted)
	fresh := b.process(0)
	const some = 2_000
	for i := range some {
		player := int(uint64(i) * uint64(b.players) / some)
		got, err := fresh.Rank(ctx, b.board, name(player), known{}, true)
		if err != nil {
			return err
		}
		at, found := slices.BinarySearch(sorted, b.scores[player])
		if want := int64(len(sorted) - at); !found || got.Rank != want || got.Stored != b.scores[player] {
			return fmt.Errorf("%s has rank %d with %v, where %d with %v is due", name(player), got.Rank, got.Stored, want, b.scores[player])
		}
	}
	drift, err := fresh.Drift(ctx, b.board)
	if err != nil || drift != 0 {
		return errors.Join(err, fmt.Errorf("the bands have %d entries more than there are players", drift))
	}
	fmt.Printf("ranks of %d players equal to the sorted slice, exact; every player once (%.0f s)\n", some, time.Since(began).Seconds())
	return nil
}

// memory prints how much the databases store.
func (b *bench) memory(ctx context.Context) error {
	var used, resident int64
	for i, c := range b.clients {
		reply, err := c.Do(ctx, upstash.Cmd("INFO", "memory"))
		if err != nil {
			return err
		}
		text, err := reply.Text()
		if err != nil {
			return err
		}
		u, r := field(text, "used_memory:"), field(text, "used_memory_rss:")
		fmt.Printf("database %d: %d MB used, %d MB resident\n", i, u>>20, r>>20)
		used, resident = used+u, resident+r
	}
	fmt.Printf("together %d MB used, %d MB resident: %.0f bytes a player, of which about half are homes\n", used>>20, resident>>20, float64(used)/float64(b.players))
	return nil
}

func field(info, name string) (n int64) {
	_, rest, _ := strings.Cut(info, name)
	_, _ = fmt.Sscan(rest, &n)
	return n
}

func seconds(info, name string) time.Duration {
	var s float64
	_, rest, _ := strings.Cut(info, name)
	_, _ = fmt.Sscan(rest, &s)
	return time.Duration(s * float64(time.Second))
}
