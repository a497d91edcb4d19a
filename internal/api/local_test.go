package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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
	contract *apitest.Contract
}

func (r remote) do(c apitest.Call) apitest.Answer {
	r.Helper()
	build := func() *http.Request {
		request, err := http.NewRequestWithContext(r.Context(), c.Method, r.url+c.Target, strings.NewReader(c.Body))
		require.NoError(r, err)
		for name, value := range c.Header {
			request.Header.Set(name, value)
		}
		return request
	}
	response, err := r.client.Do(build())
	require.NoError(r, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(r, err)
	a := apitest.Answer{Call: c, Status: response.StatusCode, Header: response.Header, Body: body}
	if !strings.HasPrefix(c.Target, "/_local/") {
		require.NoError(r, r.contract.Check(build(), a), "%s %s\n%d %s", c.Method, c.Target, a.Status, a.Body)
	}
	return a
}

func TestTheLocalProductKeepsTheContract(t *testing.T) {
	g, err := app.LoadGame("framedle")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	r := remote{t, product.URL, &http.Client{Transport: &http.Transport{}}, apitest.LoadContract(t)}
	r.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(r.client.CloseIdleConnections)

	var issued struct{ Token string }
	require.NoError(t, json.Unmarshal(r.do(apitest.Post("/_local/token", `{"player":"user_a","name":"Ana","country":"BR"}`)).Body, &issued))
	const frames = "/v1/leaderboards/daily_frame"
	for _, step := range []struct {
		call   apitest.Call
		status int
		tells  string
	}{
		{apitest.Post(apitest.Scores, `{"mode":"daily_frame","score":800,"details":{"guesses":2}}`).Bearer(issued.Token), 201, `"status":"accepted"`},
		{apitest.Post(apitest.Scores, `{"mode":"daily_frame","score":900}`).Bearer(issued.Token), 200, `"status":"kept"`},
		{apitest.Get(frames), 200, `"name":"Ana"`},
		{apitest.Get(frames + "?scope=country:BR&period=week"), 200, `"user_a"`},
		{apitest.Get(frames + "?period=alltime"), 200, `"key":"alltime"`},
		{apitest.Get("/v1/leaderboards/xp"), 200, `"score":800`},
		{apitest.Get(frames + "/players/me").Bearer(issued.Token), 200, `"guesses":2`},
		{apitest.Get(frames + "/around/user_a"), 200, `"rank":1`},
		{apitest.Post(frames+"/lookup", `{"players":["user_a"]}`), 200, `"rank":1`},
		{apitest.Get("/openapi.yaml"), 200, "openapi: 3.1"},
		{apitest.Call{Method: http.MethodHead, Target: frames}, 200, ""},
		{apitest.Get(frames + "/players/a%2Fb"), 400, "player id"},
		{apitest.Get(frames + "/players/nobody"), 404, "not-on-board"},
		{apitest.Get("/v1/nothing"), 404, "not-found"},
		{apitest.Get("/v1/scores"), 405, "methods: POST"},
		{apitest.Post(frames, "{}"), 405, "methods: GET, HEAD"},
		{apitest.Post(apitest.Scores, "{}"), 401, "unauthenticated"},
	} {
		a := r.do(step.call)
		require.Equal(t, step.status, a.Status, "%s %s: %s", step.call.Method, step.call.Target, a.Body)
		require.True(t, bytes.Contains(a.Body, []byte(step.tells)), "%s %s: %s", step.call.Method, step.call.Target, a.Body)
	}
}
