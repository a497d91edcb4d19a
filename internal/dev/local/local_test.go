package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/product/app"
)

type client struct {
	t   *testing.T
	url string
}

func start(t *testing.T) (*client, *local.Product) {
	t.Helper()
	g, err := app.LoadGame("")
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return &client{t, p.URL}, p
}

// do sends a request and decodes its JSON answer.
func (c *client) do(method, path, body string, header map[string]string) (int, map[string]any) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	require.NoError(c.t, err)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	answer := map[string]any{}
	if len(bytes.TrimSpace(raw)) > 0 && bytes.TrimSpace(raw)[0] == '{' {
		require.NoError(c.t, json.Unmarshal(raw, &answer))
	}
	return res.StatusCode, answer
}

func (c *client) token(player string) map[string]string {
	c.t.Helper()
	status, answer := c.do("POST", "/_local/token", fmt.Sprintf(`{"player":%q,"name":"Name of %s"}`, player, player), nil)
	require.Equal(c.t, 200, status)
	return map[string]string{"Authorization": "Bearer " + answer["token"].(string)}
}

func (c *client) clock(now string) {
	c.t.Helper()
	status, _ := c.do("PUT", "/_local/clock", `{"now":"`+now+`"}`, nil)
	require.Equal(c.t, 200, status)
}

func TestAWeekOfPlayThroughTheClockAndTheSchedules(t *testing.T) {
	c, _ := start(t)
	ana, ben := c.token("user_ana"), c.token("user_ben")
	for day := 29; day <= 31; day++ { // Tuesday to Thursday of 2026-W53
		c.clock(fmt.Sprintf("2026-12-%dT10:00:00Z", day))
		status, answer := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":600}`, ana)
		require.Equal(t, 201, status, answer)
		require.EqualValues(t, 1, answer["rank"])
		status, answer = c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":600}`, ben)
		require.Equal(t, 201, status, answer)
		require.EqualValues(t, 2, answer["rank"], "equal scores: who came first, though the clock stands still")
	}
	c.clock("2027-01-01T10:00:00Z") // Friday of the same ISO week
	status, answer := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":1000}`, ben)
	require.Equal(t, 201, status, answer)
	_, week := c.do("GET", "/v1/leaderboards/daily_frame?period=week", "", nil)
	require.Equal(t, "2026-W53", week["key"])
	rows := week["entries"].([]any)
	require.Equal(t, map[string]any{"rank": 1.0, "player": "user_ben", "score": 2800.0, "name": "Name of user_ben"}, rows[0])
	require.Equal(t, 1800.0, rows[1].(map[string]any)["score"])
	_, month := c.do("GET", "/v1/leaderboards/daily_frame?period=month&date=2026-12-31", "", nil)
	require.Equal(t, 1800.0, month["entries"].([]any)[1].(map[string]any)["score"])

	c.clock("2027-01-04T00:30:00Z")
	status, _ = c.do("POST", "/_local/schedules/cron-weekly", `{"time":"2027-01-04T00:30:00Z"}`, nil)
	require.Equal(t, 200, status)
	c.clock("2027-01-09T00:20:00Z")
	status, answer = c.do("POST", "/_local/schedules/cron-daily", "", nil)
	require.Equal(t, 200, status)
	require.Len(t, answer["folded"], 2*4, "the four days are in the last quarter of their lives, and so is the XP of each")
	_, allTime := c.do("GET", "/v1/leaderboards/daily_frame?period=alltime", "", nil)
	require.Equal(t, 2800.0, allTime["entries"].([]any)[0].(map[string]any)["score"])
	_, xp := c.do("GET", "/v1/leaderboards/xp", "", nil)
	require.Equal(t, 2800.0, xp["entries"].([]any)[0].(map[string]any)["score"])
	status, _ = c.do("POST", "/_local/schedules/submit", "", nil)
	require.Equal(t, 404, status)
	status, _ = c.do("PUT", "/_local/clock", `{"now":null}`, nil)
	require.Equal(t, 200, status)
}

// The path at which operators fire schedules asks for their token, here too.
func TestOperatorsFireSchedules(t *testing.T) {
	c, p := start(t)
	const daily = "/v1/ops/schedules/cron-daily"
	status, _ := c.do("POST", daily, "", nil)
	require.Equal(t, 401, status)
	status, _ = c.do("POST", daily, "", c.token("user_ana"))
	require.Equal(t, 401, status)
	status, answer := c.do("POST", daily, "", map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken})
	require.Equal(t, 200, status, answer)
	require.Contains(t, answer, "folded")
	require.NotZero(t, p.Usage().ByFunction["cron-daily"].Commands)
}

func TestUsageCountsWhatFunctionsSpend(t *testing.T) {
	c, _ := start(t)
	ana := c.token("user_ana")
	status, _ := c.do("DELETE", "/_local/usage", "", nil)
	require.Equal(t, 204, status)
	for range 2 {
		c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":600}`, ana)
	}
	c.do("GET", "/v1/leaderboards/daily_frame", "", nil)
	_, usage := c.do("GET", "/_local/usage", "", nil)
	functions := usage["by_function"].(map[string]any)
	submit := functions["submit"].(map[string]any)
	require.EqualValues(t, 2+3, submit["round_trips"], "one each, one for who is banned, one for an epoch begun, one for a player who is new to the game")
	require.EqualValues(t, 2*2+2+2, submit["commands"], "two each, who is banned, an epoch begun, and the player's name, asked for and written")
	require.EqualValues(t, 1, functions["leaderboard"].(map[string]any)["commands"], "a small board is read whole")
}

func TestSecretsOpenTheDoorsTheyAreFor(t *testing.T) {
	c, p := start(t)
	_, secrets := c.do("GET", "/_local/secrets", "", nil)
	require.Equal(t, p.Secrets.SigningKey, secrets["signing_key"])
	require.Contains(t, secrets, "database_url")
	body := `{"scores":[{"player":"p1","mode":"daily_frame","score":5,"date":"` + yesterday(2) + `"}]}`
	signed := map[string]string{"Framedle-Signature": auth.SignRequest(secrets["signing_key"].(string), time.Now(), auth.Request{Method: "POST", Path: "/v1/scores/batch", Body: []byte(body)})}
	_, answer := c.do("POST", "/v1/scores/batch", body, signed)
	require.Contains(t, answer["results"].([]any)[0], "problem", "the date is closed to game servers")
	signed["Authorization"] = "Bearer " + secrets["ops_token"].(string)
	_, answer = c.do("POST", "/v1/scores/batch", body, signed)
	require.Equal(t, "accepted", answer["results"].([]any)[0].(map[string]any)["status"], "and open to the operator")
	res, err := http.Post(secrets["redis_rest_url"].(string)+"/?_token="+secrets["redis_rest_token"].(string), "application/json",
		strings.NewReader(`["ZCARD","lb:daily_frame:`+yesterday(2)+`"]`))
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"result":1}`, string(raw))
}

func yesterday(days int) string { return time.Now().UTC().AddDate(0, 0, -days).Format(time.DateOnly) }

func TestBadControlRequestsSayWhatIsWrong(t *testing.T) {
	c, _ := start(t)
	for path, body := range map[string]string{
		"/_local/token":                `{"player":"a b"}`,
		"/_local/schedules/cron-daily": `{"when":"now"}`,
	} {
		status, answer := c.do("POST", path, body, nil)
		require.Equal(t, 400, status)
		require.NotEmpty(t, answer["detail"])
	}
	status, _ := c.do("PUT", "/_local/clock", `{"now":"tomorrow"}`, nil)
	require.Equal(t, 400, status)
}

func TestOnlyLoopbackAddresses(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	for _, addr := range []string{"0.0.0.0:0", ":0", "nonsense", "192.168.1.1:80"} {
		_, err := local.Start(context.Background(), local.Options{Addr: addr, Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
		require.ErrorContains(t, err, addr)
	}
	_, err = local.Start(context.Background(), local.Options{Addr: "127.0.0.1:0", Redis: "localhost", Game: g, Log: io.Discard})
	require.ErrorContains(t, err, "redis://host:port")
}

func TestBrowsersOfAnyOriginMayAsk(t *testing.T) {
	c, _ := start(t)
	r, err := http.NewRequest(http.MethodOptions, c.url+"/v1/scores", nil)
	require.NoError(t, err)
	r.Header.Set("Origin", "http://localhost:3000")
	r.Header.Set("Access-Control-Request-Method", "POST")
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, 204, res.StatusCode)
	require.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "POST", res.Header.Get("Access-Control-Allow-Methods"))
	require.Contains(t, res.Header.Get("Access-Control-Allow-Headers"), "Authorization")
}

func TestStrayPathsAreProblemsAsBehindAGateway(t *testing.T) {
	c, _ := start(t)
	for _, path := range []string{"/", "/v1", "//v1/scores", "/v1//scores", "/v1/x/../scores", "/_local", "/_local/nothing", "/v1/scores/"} {
		status, answer := c.do("POST", path, "", nil)
		require.Equal(t, 404, status, path)
		require.EqualValues(t, 404, answer["status"], path)
	}
}
