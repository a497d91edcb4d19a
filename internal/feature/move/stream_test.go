package move_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/move"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// fillStreams writes streams of several pages, some of whose entries were deleted,
// the last and all of them too, and one that expires.
func (d *database) fillStreams() {
	for i := range 130 {
		d.do("XADD", "outbox", fmt.Sprintf("%d-%d", 1000+i/3, i%3), "s", fmt.Sprintf("[{\"p\":\"é%d\"}]", i), "empty", "")
	}
	d.do("XDEL", "outbox", "1001-1", "1043-0")
	for i := range 50 { // a whole page
		d.do("XADD", "page", fmt.Sprintf("%d-0", 1+i), "s", "1")
	}
	d.do("XADD", "drained", "18446744073709551615-7", "s", "1")
	d.do("XDEL", "drained", "18446744073709551615-7")
	d.do("XADD", "ending", "1-1", "s", "1")
	d.do("PEXPIREAT", "ending", "4000000000000")
}

func TestStreamsKeepTheirEntriesAndTheirLastId(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.fillStreams()
		before := from.dump()
		did, err := move.Run(t.Context(), options(from, to))
		require.NoError(t, err)
		require.Equal(t, before, to.dump())
		require.Equal(t, before, from.dump(), "the source is only read")
		require.Empty(t, did.Repaired)
		require.EqualValues(t, 128+50+1, did.Entries)
	})
}

// Entries that are added to a stream and removed from it after it was copied are right in the
// end.
func TestStreamsThatGoOnAreFinishedLater(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.fillStreams()
		o := options(from, to)
		o.Live = true
		_, err := move.Run(t.Context(), o)
		require.NoError(t, err)
		from.do("XADD", "outbox", "2000-0", "s", "new")
		from.do("XDEL", "outbox", "1000-0")
		from.do("XADD", "page", "60-0", "s", "comes")
		from.do("XDEL", "page", "60-0")
		from.do("DEL", "ending")
		o.Live = false
		did, err := move.Run(t.Context(), o)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"outbox", "page"}, did.Repaired)
		require.EqualValues(t, 1, did.Deleted)
		require.Equal(t, from.dump(), to.dump())
	})
}

// Whichever answer of the target is lost, the same command continues the move, and no entry is
// lost or exists twice.
func TestAStreamWhoseAnswersAreLostIsMovedOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, from, to *database) {
		from.fillStreams()
		for lost := 1; ; lost++ {
			to.do("FLUSHALL")
			sent := 0
			to.server.Inject(func(upstashtest.Request) upstashtest.Fault {
				sent++
				return upstashtest.Fault{CutAfter: sent == lost}
			})
			_, err := move.Run(t.Context(), options(from, to))
			to.server.Inject(nil)
			if sent < lost {
				require.NoError(t, err)
				require.Greater(t, lost, 5)
				return
			}
			if err != nil {
				_, err = move.Run(t.Context(), options(from, to))
			}
			require.NoError(t, err, "answer %d", lost)
			require.Equal(t, from.dump(), to.dump(), "answer %d", lost)
		}
	})
}

func TestAStreamWithConsumerGroupsIsNamed(t *testing.T) {
	from, to := newDatabase(t, true), newDatabase(t, false)
	from.do("XADD", "jobs", "1-1", "s", "1")
	from.do("XGROUP", "CREATE", "jobs", "workers", "0")
	_, err := move.Run(t.Context(), options(from, to))
	unknown := (*move.UnknownTypeError)(nil)
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, move.UnknownTypeError{Key: "jobs", Type: "stream with consumer groups"}, *unknown)
}

// A field that expires by itself would live for ever in the target. Valkey 8 has no such fields,
// so the answer is made up here. An engine without them is asked once.
func TestAHashWhoseFieldsExpireIsNamed(t *testing.T) {
	from, to := newDatabase(t, false), newDatabase(t, false)
	from.do("HSET", "sessions", "a", "1", "b", "2")
	answer := `[{"result":[-1,4000000000000]}]`
	from.server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		if r.Commands[0][0] == "HPEXPIRETIME" {
			return upstashtest.Fault{Status: 200, Body: answer}
		}
		return upstashtest.Fault{}
	})
	_, err := move.Run(t.Context(), options(from, to))
	ends := (*move.FieldEndsError)(nil)
	require.ErrorAs(t, err, &ends)
	require.Equal(t, move.FieldEndsError{Key: "sessions", Field: "b"}, *ends)
	answer = `[{"result":[-1,-1]}]`
	_, err = move.Run(t.Context(), options(from, to))
	require.NoError(t, err)
	require.Equal(t, from.dump(), to.dump())

	onEngines(t, func(t *testing.T, from, to *database) {
		for i := range 120 {
			from.do("HSET", fmt.Sprint("hash:", i), "f", "v")
		}
		asked := 0
		from.server.Inject(func(r upstashtest.Request) upstashtest.Fault {
			for _, words := range r.Commands {
				if words[0] == "HPEXPIRETIME" {
					asked++
				}
			}
			return upstashtest.Fault{}
		})
		_, err := move.Run(t.Context(), options(from, to))
		require.NoError(t, err)
		require.Equal(t, from.dump(), to.dump())
		require.Positive(t, asked)
		if _, err := from.server.Redis().Do(t.Context(), "HPEXPIRETIME", "hash:1", "FIELDS", "1", "f"); err != nil {
			require.LessOrEqual(t, asked, 50, "the engine does not know the question: it is asked in one round trip")
		}
	})
}
