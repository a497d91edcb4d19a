package local_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
)

// challenge is an open challenge by a player: its path, and its id.
func (c *client) challenge(player string) (id string) {
	c.t.Helper()
	status, made := c.do("POST", "/v1/duels", `{}`, c.token(player))
	require.Equal(c.t, 201, status, made)
	return made["id"].(string)
}

func (c *client) must(method, path, body, player string) map[string]any {
	c.t.Helper()
	status, answer := c.do(method, path, body, c.token(player))
	require.Less(c.t, status, 300, answer)
	return answer
}

func says(status string) func(map[string]any) bool {
	return func(duel map[string]any) bool { return duel["status"] == status }
}

func TestADuelIsStreamedUntilItIsDecided(t *testing.T) {
	onBoth(t, func(t *testing.T, c *client, _ *local.Product) {
		id := c.challenge("user_ana")
		path := "/v1/live/duels/" + id
		ana, ben, cid := c.stream(path, c.token("user_ana")), c.stream(path, c.token("user_ben")), c.stream(path, c.token("user_cid"))
		require.Equal(t, "text/event-stream", ana.answer.Header.Get("Content-Type"))
		first := ana.must("duel")
		read := c.must("GET", "/v1/duels/"+id, "", "user_ana")
		require.NotEmpty(t, read["people"])
		delete(read, "people") // who reads the duel knows them
		require.Equal(t, read, first.data, "as the route has it")
		require.Equal(t, id, first.data["invite"])
		require.Equal(t, "waiting", ben.must("duel").data["status"], "whoever has the invite may look")
		require.NotContains(t, cid.must("duel").data, "invite")

		c.must("POST", "/v1/duels/"+id+"/accept", `{}`, "user_ben")
		ana.until("duel", says("ready"))
		ben.until("duel", says("ready"))
		require.Empty(t, cid.must("closed").data, "it is not theirs any more")
		status, _ := c.do("GET", path, "", c.token("user_cid"))
		require.Equal(t, http.StatusNotFound, status)

		const won = `{"winner":"user_ana","score":[3,1]}`
		c.must("POST", "/v1/duels/"+id+"/result", won, "user_ana")
		reported := ben.until("duel", func(duel map[string]any) bool { return duel["reported"] != nil })
		require.Equal(t, []any{"user_ana"}, reported.data["reported"])
		c.must("POST", "/v1/duels/"+id+"/result", won, "user_ben")
		for _, s := range []*stream{ana, ben} {
			decided := s.until("duel", says("decided"))
			require.Equal(t, "user_ana", decided.data["winner"])
			last := s.must("closed")
			require.Equal(t, decided.data, last.data)
			_, more := s.next("duel")
			require.False(t, more, "nothing follows")
			status, _ := c.do("GET", path, "", map[string]string{"Authorization": c.token("user_ana")["Authorization"], "Last-Event-ID": last.id})
			require.Equal(t, http.StatusNoContent, status)
		}
		again := c.stream(path, c.token("user_ben"))
		require.Equal(t, "decided", again.must("duel").data["status"])
		again.must("closed")
	})
}

// Redis does not notify when a duel's time is over: the stream ends the duel itself.
func TestADuelThatRunsOutIsToldToItsViewers(t *testing.T) {
	onBoth(t, func(t *testing.T, c *client, _ *local.Product) {
		c.clock("2026-11-18T12:00:00Z")
		id := c.challenge("user_ana")
		s := c.stream("/v1/live/duels/"+id, c.token("user_ana"))
		s.must("duel")
		c.clock("2026-12-18T12:00:00Z")
		require.Equal(t, "expired", s.until("duel", says("expired")).data["status"])
		s.must("closed")
	})
}

func TestADuelThatCannotBeStreamedIsRefused(t *testing.T) {
	c, _ := start(t)
	id := c.challenge("user_ana")
	c.must("POST", "/v1/duels/"+id+"/accept", `{}`, "user_ben")
	for path, want := range map[string]int{"/nothing": 404, "/a%20b": 400, "/" + id + "?limit=1": 400, "/": 404, "/" + id + "/x": 404, "/" + id: 404} {
		status, answer := c.do("GET", "/v1/live/duels"+path, "", c.token("user_cid"))
		require.Equal(t, want, status, "%s %v", path, answer)
	}
	status, _ := c.do("GET", "/v1/live/duels/"+id, "", nil)
	require.Equal(t, http.StatusUnauthorized, status)
	for n := range 300 { // streams of what is not there leave nothing behind
		status, _ = c.do("GET", fmt.Sprint("/v1/live/duels/none-", n), "", c.token("user_ben"))
		require.Contains(t, []int{http.StatusNotFound, http.StatusTooManyRequests}, status)
	}
	require.Equal(t, "ready", c.stream("/v1/live/duels/"+id, c.token("user_ana")).must("duel").data["status"])
}
