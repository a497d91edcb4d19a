package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
)

// remote makes calls over the network and holds them against the document.
type remote struct {
	testing.TB
	url      string
	client   *http.Client
	contract *contract
}

func (r remote) do(c call) answer {
	r.Helper()
	build := func() *http.Request {
		request, err := http.NewRequestWithContext(r.Context(), c.method, r.url+c.target, strings.NewReader(c.body))
		require.NoError(r, err)
		for name, value := range c.header {
			request.Header.Set(name, value)
		}
		return request
	}
	response, err := r.client.Do(build())
	require.NoError(r, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(r, err)
	a := answer{call: c, status: response.StatusCode, header: response.Header, body: body}
	if !strings.HasPrefix(c.target, "/_local/") {
		require.NoError(r, r.contract.check(build(), a), "%s %s\n%d %s", c.method, c.target, a.status, a.body)
	}
	return a
}

func TestTheLocalProductKeepsTheContract(t *testing.T) {
	g, err := app.LoadGame("framedle")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	r := remote{t, product.URL, &http.Client{Transport: &http.Transport{}}, loadContract(t)}
	r.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(r.client.CloseIdleConnections)

	var issued struct{ Token string }
	require.NoError(t, json.Unmarshal(r.do(post("/_local/token", `{"player":"user_a","name":"Ana","country":"BR"}`)).body, &issued))
	const frames = "/v1/leaderboards/daily_frame"
	for _, step := range []struct {
		call   call
		status int
		tells  string
	}{
		{post(scores, `{"mode":"daily_frame","score":800,"details":{"guesses":2}}`).bearer(issued.Token), 201, `"status":"accepted"`},
		{post(scores, `{"mode":"daily_frame","score":900}`).bearer(issued.Token), 200, `"status":"kept"`},
		{get(frames), 200, `"name":"Ana"`},
		{get(frames + "?scope=country:BR&period=week"), 200, `"user_a"`},
		{get(frames + "?period=alltime"), 200, `"key":"alltime"`},
		{get("/v1/leaderboards/xp"), 200, `"score":800`},
		{get(frames + "/players/me").bearer(issued.Token), 200, `"guesses":2`},
		{get(frames + "/around/user_a"), 200, `"rank":1`},
		{post(frames+"/lookup", `{"players":["user_a"]}`), 200, `"rank":1`},
		{get("/openapi.yaml"), 200, "openapi: 3.1"},
		{call{method: http.MethodHead, target: frames}, 200, ""},
		{get(frames + "/players/a%2Fb"), 400, "player id"},
		{get(frames + "/players/nobody"), 404, "not-on-board"},
		{get("/v1/nothing"), 404, "not-found"},
		{get("/v1/scores"), 405, "methods: POST"},
		{post(frames, "{}"), 405, "methods: GET, HEAD"},
		{post(scores, "{}"), 401, "unauthenticated"},
	} {
		a := r.do(step.call)
		require.Equal(t, step.status, a.status, "%s %s: %s", step.call.method, step.call.target, a.body)
		require.True(t, bytes.Contains(a.body, []byte(step.tells)), "%s %s: %s", step.call.method, step.call.target, a.body)
	}
}
