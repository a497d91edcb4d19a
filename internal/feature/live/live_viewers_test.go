package live_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// connection is one viewer.
type connection struct {
	conn  net.Conn
	lines *bufio.Reader
}

// connect asks for a stream from an address, and reads the answer's head.
func connect(t testing.TB, address, from string, header ...string) (*connection, *http.Response) {
	t.Helper()
	return connectTo(t, address, apitest.LiveDaily, from, header...)
}

// connectTo is connect for a board of one's own choice.
func connectTo(t testing.TB, address, path, from string, header ...string) (*connection, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: %s\r\n%s\r\n", path, from, strings.Join(append(header, ""), "\r\n"))
	require.NoError(t, err)
	v := &connection{conn, bufio.NewReader(conn)}
	answer, err := http.ReadResponse(v.lines, nil)
	require.NoError(t, err)
	v.lines = bufio.NewReader(answer.Body)
	return v, answer
}

// until reads until a line begins with a text.
func (v *connection) until(t testing.TB, begins string) (line string) {
	t.Helper()
	for !strings.HasPrefix(line, begins) {
		var err error
		line, err = v.lines.ReadString('\n')
		require.NoError(t, err)
	}
	return line
}

// A viewer who does not read is disconnected, and the seat is free for another. Viewers who
// read get each change meanwhile.
func TestAViewerWhoDoesNotReadIsCutOff(t *testing.T) {
	s := apitest.NewStack(t)
	address := s.Open(&apitest.Restless{}, 2, 2, 100*time.Millisecond)
	_, answer := connect(t, address, "192.0.2.1")
	require.Equal(t, http.StatusOK, answer.StatusCode)
	reader, answer := connect(t, address, "192.0.2.2")
	require.Equal(t, http.StatusOK, answer.StatusCode)
	reader.until(t, "event: board")
	go func() { _, _ = io.Copy(io.Discard, reader.lines) }()
	require.Eventually(t, func() bool {
		next, answer := connect(t, address, "192.0.2.3")
		if answer.StatusCode != http.StatusOK {
			require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
			return false
		}
		next.until(t, "event: change")
		return true
	}, eventually, tick)
}

// However many viewers come, each address and the process have at most their seats. The
// others are told when to try again, players notice nothing, and a viewer who leaves makes
// room.
func TestViewersAreBoundedForEachAddressAndInAll(t *testing.T) {
	const most, each = 50, 20
	s := apitest.NewStack(t)
	board := &apitest.Restless{}
	board.Still.Store(true)
	address := s.Open(board, most, each, time.Minute)
	seated := func(from string) (all []*connection) {
		for range 2 * each {
			v, answer := connect(t, address, from)
			if answer.StatusCode == http.StatusOK {
				all = append(all, v)
				continue
			}
			require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
			require.Equal(t, "30", answer.Header.Get("Retry-After"))
			body, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.Contains(t, string(body), `"code":"no-seat"`)
			require.NoError(t, v.conn.Close())
		}
		return all
	}
	first := seated("192.0.2.1")
	require.Len(t, first, each)
	require.Len(t, seated("192.0.2.2"), each)
	require.Len(t, seated("192.0.2.3"), most-2*each)
	for range 1000 { // who say half of what they want
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = io.WriteString(conn, "GET "+apitest.LiveDaily+" HTTP/1.1\r\nHost: ")
		require.NoError(t, err)
	}
	body := `{"mode":"daily","score":500}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/v1/scores", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.Token("user_a"))
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusCreated, answer.StatusCode)
	for _, v := range first {
		require.NoError(t, v.conn.Close())
	}
	require.Eventually(t, func() bool {
		_, answer := connect(t, address, "192.0.2.1")
		return answer.StatusCode == http.StatusOK
	}, eventually, tick)
}

// Whatever last event a viewer claims, the stream begins with the whole board, unless this
// process has sent that event.
func TestAForgedEventBeginsWithTheWholeBoard(t *testing.T) {
	s := apitest.NewStack(t)
	board := &apitest.Restless{}
	board.Still.Store(true)
	address := s.Open(board, 0, 0, time.Minute)
	first, _ := connect(t, address, "192.0.2.1")
	id := strings.TrimSpace(strings.TrimPrefix(first.until(t, "id: "), "id: "))
	epoch, _, _ := strings.Cut(id, "-")
	for _, forged := range []string{
		"x", "-", "-1", epoch, epoch + "-", epoch + "-0", epoch + "--1", epoch + "-2", epoch + "-9223372036854775807", epoch + "-9223372036854775808",
		epoch + "-1 ", "closed", strings.Repeat("9", 8000), "\xff\xfe", "' OR 1=1", "../../etc",
	} {
		v, answer := connect(t, address, "192.0.2.1", "Last-Event-ID: "+forged)
		require.Equal(t, http.StatusOK, answer.StatusCode, forged)
		require.Equal(t, "retry: 2000\n", v.until(t, "retry"), forged)
		if strings.TrimSpace(forged) == id {
			continue // which is none
		}
		require.Equal(t, "id: "+id+"\n", v.until(t, "id: "), forged)
		require.Equal(t, "event: board\n", v.until(t, "event: "), forged)
	}
}

// What a board costs while it is watched counts against those who watch it, like what they
// ask for, and other callers are served.
func TestReadsForViewersCountAgainstTheirAddress(t *testing.T) {
	s := apitest.NewStack(t)
	s.Costs = "player: off, ip: 50/1m"
	board := &apitest.Restless{}
	var spent atomic.Int64
	board.Spend = func(ctx context.Context) {
		_, err := s.Client.Do(ctx, upstash.Cmd("ZCARD", "lb:nothing"))
		require.NoError(t, err)
		spent.Add(1)
	}
	address := s.Open(board, 0, 0, time.Minute)
	for range 20 {
		v, answer := connect(t, address, "192.0.2.1")
		require.Equal(t, http.StatusOK, answer.StatusCode)
		go func() { _, _ = io.Copy(io.Discard, v.lines) }()
	}
	require.Eventually(t, func() bool { return spent.Load() > 30 }, eventually, tick)
	time.Sleep(time.Second) // if reads went on, there would be some hundred in this time
	require.LessOrEqual(t, spent.Load(), int64(50))
	_, answer := connect(t, address, "192.0.2.2")
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Eventually(t, func() bool { return spent.Load() > 60 }, eventually, tick, "the other viewer pays")
}

// An address watches 16 boards at most, and others watch theirs.
func TestAnAddressWatchesFewBoards(t *testing.T) {
	s := apitest.NewStack(t)
	board := &apitest.Restless{}
	board.Still.Store(true)
	address := s.Open(board, 0, 0, time.Minute)
	seats := 0
	for n := range 40 {
		if _, answer := connectTo(t, address, fmt.Sprintf("/v1/live/daily?scope=group:g%d", n), "192.0.2.1"); answer.StatusCode == http.StatusOK {
			seats++
		} else {
			require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
		}
	}
	require.Equal(t, 16, seats)
	_, answer := connectTo(t, address, "/v1/live/daily?scope=group:another", "192.0.2.2")
	require.Equal(t, http.StatusOK, answer.StatusCode)
}

// Each card of a player's streams counts against what the player may spend, while the streams
// go on.
func TestOwnCardsStopAtThePlayersLimit(t *testing.T) {
	s := apitest.NewStack(t)
	s.Costs = "player: 60/1d"
	address := s.Open(&apitest.Restless{}, 0, 0, time.Minute)
	before := s.Client.Meter().Commands()
	for range 5 {
		v, answer := connect(t, address, "192.0.2.1", "Authorization: Bearer "+s.Token("user_a"))
		require.Equal(t, http.StatusOK, answer.StatusCode)
		go func() { _, _ = io.Copy(io.Discard, v.lines) }()
	}
	spent := func() int64 { return s.Client.Meter().Commands() - before }
	require.Eventually(t, func() bool { return spent() > 40 }, eventually, tick)
	time.Sleep(4 * time.Second) // 80 cards
	require.LessOrEqual(t, spent(), int64(80), "60 of the player, and what the count itself costs")
}
