package template_test

import (
	"encoding/json"
	"io/fs"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/web"
)

// asked is what CloudFront's function turns a request into: another path, or an address
// to which the browser is redirected.
type asked struct {
	URI        string `json:"uri"`
	StatusCode int    `json:"statusCode"`
	Headers    map[string]struct {
		Value string `json:"value"`
	} `json:"headers"`
}

func ask(t *testing.T, code, uri, query string) (a asked) {
	t.Helper()
	script := code + "\nconsole.log(JSON.stringify(handler({request: {uri: process.argv[1], querystring: JSON.parse(process.argv[2])}})))"
	out, err := exec.CommandContext(t.Context(), "node", "-e", script, uri, query).Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &a))
	return a
}

// A folder with a page is found with and without the slash, as on the local product.
func TestFoldersOfPagesAreFoundWithoutTheirSlash(t *testing.T) {
	require.NoError(t, npmtest.Need("node"))
	all := rendered(t, map[string]string{"Pages": "on", "OriginSecret": strings.Repeat("s", 32), "AWS::StackName": "game"})
	code, is := all["PagesIndex"]["FunctionCode"].(string)
	require.True(t, is)

	folders := 0
	require.NoError(t, fs.WalkDir(web.Files(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Base(name) != "index.html" || name == "index.html" {
			return err
		}
		folders++
		folder := "/" + path.Dir(name)
		require.Equal(t, folder+"/index.html", ask(t, code, folder+"/", "{}").URI)
		moved := ask(t, code, folder, "{}")
		require.Equal(t, 301, moved.StatusCode, folder)
		require.Equal(t, folder+"/", moved.Headers["location"].Value)
		return nil
	}))
	require.Equal(t, 3, folders, "gallery, ops and play/typing")

	race := ask(t, code, "/play/typing", `{"mode": {"value": "time_30"}, "race": {"value": "a%26b", "multiValue": [{"value": "a%26b"}, {"value": "c"}]}}`)
	require.Equal(t, "/play/typing/?mode=time_30&race=a%26b&race=c", race.Headers["location"].Value)
	for _, uri := range []string{"/page.js", "/play", "/nothing", "//elsewhere.example/ops", "//elsewhere.example"} {
		same := ask(t, code, uri, "{}")
		require.Equal(t, asked{URI: uri}, asked{same.URI, same.StatusCode, same.Headers}, "leads nowhere else")
	}
	require.Equal(t, "/index.html", ask(t, code, "/", "{}").URI)
}
