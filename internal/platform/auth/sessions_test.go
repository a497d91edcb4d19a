package auth_test

import (
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func atNoon() time.Time { return noon }

func requireRefused(t *testing.T, err error, code auth.Code, reason string) {
	t.Helper()
	var refused *auth.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, code, refused.Code)
	require.Contains(t, refused.Reason, reason)
}

func TestGoodTokensAreAccepted(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	unix := noon.Unix()
	tests := map[string]struct {
		changes map[string]any
		options []authtest.Option
		player  string
	}{
		"as issued":                         {player: "user_a"},
		"player id with a colon":            {changes: map[string]any{"sub": "a:b"}, player: "a:b"},
		"player id of 128 characters":       {changes: map[string]any{"sub": strings.Repeat("x", 128)}, player: strings.Repeat("x", 128)},
		"expired four seconds ago":          {changes: map[string]any{"exp": unix - 4}, player: "user_a"},
		"valid in five seconds":             {changes: map[string]any{"nbf": unix + 5, "iat": unix + 5}, player: "user_a"},
		"without nbf and iat":               {changes: map[string]any{"nbf": nil, "iat": nil}, player: "user_a"},
		"times with fractions":              {changes: map[string]any{"exp": float64(unix) + 30.5}, player: "user_a"},
		"without sts":                       {changes: map[string]any{"sts": nil}, player: "user_a"},
		"a claim that differs only in case": {changes: map[string]any{"SUB": "user_b", "Azp": "https://evil.test", "EXP": unix}, player: "user_a"},
		// One PEM key is configured and only its owner can sign with it, so
		// the name the token gives the key decides nothing.
		"unknown kid":           {options: []authtest.Option{authtest.Header("kid", "ins_other")}, player: "user_a"},
		"without kid and typ":   {options: []authtest.Option{authtest.Header("kid", nil), authtest.Header("typ", nil)}, player: "user_a"},
		"without a category":    {options: []authtest.Option{authtest.Header("cat", nil)}, player: "user_a"},
		"category kept untold":  {options: []authtest.Option{authtest.Header("cat", "cl_I7d4PD111III")}, player: "user_a"},
		"own key in the header": {options: []authtest.Option{authtest.Header("jwk", issuer.PublicJWK())}, player: "user_a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			token := issuer.Token(authtest.Claims("user_a", noon, test.changes), test.options...)
			player, err := sessions.Verify(t.Context(), token)
			require.NoError(t, err)
			require.Equal(t, test.player, player.ID)
		})
	}
}

func TestForgedTokensAreRefused(t *testing.T) {
	issuer, stranger := authtest.New(t), authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	claims := authtest.Claims("user_a", noon, nil)
	good := issuer.Token(claims)
	parts := strings.Split(good, ".")
	asOther := strings.Split(issuer.Token(authtest.Claims("user_b", noon, nil)), ".")
	const unsigned = "token signature"

	tests := map[string]struct{ token, reason string }{
		"alg none":                       {issuer.Token(claims, authtest.Unsigned("none")), "not base64url"},
		"alg None":                       {issuer.Token(claims, authtest.Unsigned("None")), "not base64url"},
		"alg none over a real signature": {issuer.Token(claims, authtest.Header("alg", "none")), "RS256"},
		"alg empty":                      {issuer.Token(claims, authtest.Header("alg", "")), "RS256"},
		"alg missing":                    {issuer.Token(claims, authtest.Header("alg", nil)), "RS256"},
		"alg rs256":                      {issuer.Token(claims, authtest.Header("alg", "rs256")), "RS256"},
		"alg not a string":               {issuer.Token(claims, authtest.Header("alg", []string{"RS256"})), "RS256"},
		"ALG beside nothing":             {issuer.Token(claims, authtest.Header("alg", nil), authtest.Header("ALG", "RS256")), "RS256"},
		"HS256 under the public key":     {issuer.Token(claims, authtest.HS256(issuer.PEM())), "RS256"},
		"HS256 under the trimmed key":    {issuer.Token(claims, authtest.HS256(strings.TrimSpace(issuer.PEM()))), "RS256"},
		"HS256 that claims RS256":        {issuer.Token(claims, authtest.HS256(issuer.PEM()), authtest.Header("alg", "RS256")), unsigned},
		"RS384":                          {issuer.Token(claims, issuer.RS384()), "RS256"},
		"RS512":                          {issuer.Token(claims, issuer.RS512()), "RS256"},
		"PS256":                          {issuer.Token(claims, issuer.PS256()), "RS256"},
		"PS256 that claims RS256":        {issuer.Token(claims, issuer.PS256(), authtest.Header("alg", "RS256")), unsigned},
		"signed by a stranger":           {stranger.Token(claims), unsigned},
		"stranger's key in the header":   {issuer.Token(claims, authtest.SignedBy(stranger), authtest.Header("jwk", stranger.PublicJWK())), unsigned},
		"stranger's key by reference":    {issuer.Token(claims, authtest.SignedBy(stranger), authtest.Header("jku", "https://evil.test/jwks.json")), unsigned},
		"payload of another token":       {parts[0] + "." + asOther[1] + "." + parts[2], unsigned},
		"header of another token":        {strings.Split(issuer.Token(claims, authtest.Header("kid", "x")), ".")[0] + "." + parts[1] + "." + parts[2], unsigned},
		"signature a byte short":         {good[:len(good)-2], unsigned},
		"a critical extension":           {issuer.Token(claims, authtest.Header("crit", []string{"exp"})), "extension"},
		"no critical extensions, listed": {issuer.Token(claims, authtest.Header("crit", []string{})), "extension"},
		"an access token":                {issuer.Token(claims, authtest.Header("typ", "at+jwt")), "type"},
		"a type that is not a string":    {issuer.Token(claims, authtest.Header("typ", 1)), "type"},
		"a JWT template":                 {issuer.Token(claims, authtest.Header("cat", "cl_B7d4PD222AAA")), "not a session token"},
		"a machine token":                {issuer.Token(claims, authtest.Header("cat", "cl_B7d4PD333AAA")), "not a session token"},

		"no dots":            {"garbage", "three parts"},
		"one dot":            {parts[0] + "." + parts[1], "three parts"},
		"four parts":         {good + ".x", "three parts"},
		"only dots":          {"..", "not base64url"},
		"garbage base64":     {"!!!.###.$$$", "not base64url"},
		"standard base64":    {parts[0] + "." + parts[1] + ".ab+/", "not base64url"},
		"padded":             {good + "=", "not base64url"},
		"line end inside":    {good[:10] + "\n" + good[10:], "not base64url"},
		"space before":       {" " + good, "not base64url"},
		"JSON serialization": {`{"protected":"` + parts[0] + `","payload":"` + parts[1] + `","signature":"` + parts[2] + `"}`, "three parts"},
		"header not JSON":    {"AAAA." + parts[1] + "." + parts[2], "header"},
		"huge":               {strings.Repeat("a", 8<<10) + good, "8 KiB"},
		"just over 8 KiB":    {strings.Repeat("a", 8<<10+1), "8 KiB"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			player, err := sessions.Verify(t.Context(), test.token)
			requireRefused(t, err, auth.Invalid, test.reason)
			require.Zero(t, player)
		})
	}
}

func TestWrongClaimsAreRefused(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	unix := noon.Unix()
	tests := map[string]struct {
		changes map[string]any
		reason  string
	}{
		"another issuer":                {map[string]any{"iss": "https://clerk.evil.test"}, "another issuer"},
		"issuer with trailing slash":    {map[string]any{"iss": authtest.IssuerURL + "/"}, "another issuer"},
		"issuer in another case":        {map[string]any{"iss": strings.ToUpper(authtest.IssuerURL)}, "another issuer"},
		"issuer with a longer host":     {map[string]any{"iss": authtest.IssuerURL + ".evil.test"}, "another issuer"},
		"issuer missing":                {map[string]any{"iss": nil}, "another issuer"},
		"issuer only in another case":   {map[string]any{"iss": nil, "ISS": authtest.IssuerURL}, "another issuer"},
		"azp missing":                   {map[string]any{"azp": nil}, "another site"},
		"azp empty":                     {map[string]any{"azp": ""}, "another site"},
		"azp of another site":           {map[string]any{"azp": "https://evil.test"}, "another site"},
		"azp with trailing slash":       {map[string]any{"azp": authtest.AuthorizedParty + "/"}, "another site"},
		"exp missing":                   {map[string]any{"exp": nil}, "no valid expiry"},
		"exp past":                      {map[string]any{"exp": unix - 60}, "expired"},
		"exp five seconds past":         {map[string]any{"exp": unix - 5}, "expired"},
		"exp zero":                      {map[string]any{"exp": 0}, "expired"},
		"exp negative":                  {map[string]any{"exp": -1}, "no valid expiry"},
		"exp beyond the year 9999":      {map[string]any{"exp": 1e18}, "no valid expiry"},
		"exp a string":                  {map[string]any{"exp": "4102444800"}, "no valid expiry"},
		"exp only in another case":      {map[string]any{"exp": nil, "Exp": unix + 60}, "no valid expiry"},
		"nbf six seconds ahead":         {map[string]any{"nbf": unix + 6}, "not valid yet"},
		"iat six seconds ahead":         {map[string]any{"iat": unix + 6}, "not valid yet"},
		"nbf negative":                  {map[string]any{"nbf": -1}, "number of seconds"},
		"sts pending":                   {map[string]any{"sts": "pending"}, "pending"},
		"sts not a string":              {map[string]any{"sts": true}, "pending"},
		"sub missing":                   {map[string]any{"sub": nil}, "no valid subject"},
		"sub empty":                     {map[string]any{"sub": ""}, "no valid subject"},
		"sub only in another case":      {map[string]any{"sub": nil, "Sub": "user_a"}, "no valid subject"},
		"sub with a newline":            {map[string]any{"sub": "user_a\n"}, "player id"},
		"sub with a space":              {map[string]any{"sub": "user a"}, "player id"},
		"sub with a slash":              {map[string]any{"sub": "user/a"}, "player id"},
		"sub with a NUL":                {map[string]any{"sub": "user\x00a"}, "player id"},
		"sub beyond ASCII":              {map[string]any{"sub": "usér"}, "player id"},
		"sub of the form of a device's": {map[string]any{"sub": "dev_abc"}, "devices have tokens of their own"},
		"sub of 129 characters":         {map[string]any{"sub": strings.Repeat("x", 129)}, "player id"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			token := issuer.Token(authtest.Claims("user_a", noon, test.changes))
			player, err := sessions.Verify(t.Context(), token)
			requireRefused(t, err, auth.Invalid, test.reason)
			require.Zero(t, player)
		})
	}
}

func TestSignedTextThatIsNotOneClearObjectIsRefused(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	const rest = `"iss":"https://clerk.framedle.test","azp":"https://www.framedle.test","exp":4102444800`
	tests := map[string]string{
		"subject twice":             `{"sub":"user_a",` + rest + `,"sub":"user_b"}`,
		"subject twice, escaped":    `{"sub":"user_a",` + rest + `,"\u0073ub":"user_b"}`,
		"unread claim twice":        `{"sub":"user_a",` + rest + `,"x":1,"x":2}`,
		"two objects":               `{"sub":"user_a",` + rest + `}{"sub":"user_b"}`,
		"text after the object":     `{"sub":"user_a",` + rest + `} x`,
		"an array":                  `[{"sub":"user_a",` + rest + `}]`,
		"null":                      `null`,
		"a string":                  `"user_a"`,
		"a number beyond a float64": `{"sub":"user_a",` + rest + `,"nbf":1e400}`,
		"not JSON":                  `sub=user_a`,
		"cut off":                   `{"sub":"user_a",` + rest,
		"byte order mark":           "\ufeff" + `{"sub":"user_a",` + rest + `}`,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := sessions.Verify(t.Context(), issuer.Token(nil, authtest.RawClaims(text)))
			requireRefused(t, err, auth.Invalid, "")
		})
	}
	_, err := sessions.Verify(t.Context(), issuer.Token(nil, authtest.RawClaims(`{"sub":"user_a",`+rest+`}`)))
	require.NoError(t, err, "the text that the cases spoil is good")
}

func TestNoTokenIsMissingNotInvalid(t *testing.T) {
	_, err := authtest.New(t).Sessions(atNoon).Verify(t.Context(), "")
	requireRefused(t, err, auth.Missing, "required")
}

func TestAnEmptyListOfAuthorizedPartiesTakesTokensOfEverySite(t *testing.T) {
	issuer := authtest.New(t)
	sessions, err := auth.NewSessions(auth.SessionConfig{Issuer: authtest.IssuerURL, PEM: issuer.PEM(), Now: atNoon})
	require.NoError(t, err)
	for _, azp := range []any{nil, "", "https://other.test"} {
		token := issuer.Token(authtest.Claims("user_a", noon, map[string]any{"azp": azp}))
		_, err := sessions.Verify(t.Context(), token)
		require.NoError(t, err, "azp %v", azp)
	}
}

func TestNativeAmongTheAuthorizedPartiesTakesTokensWithoutAzp(t *testing.T) {
	issuer := authtest.New(t)
	parties := []string{authtest.AuthorizedParty, "native"}
	sessions, err := auth.NewSessions(auth.SessionConfig{Issuer: authtest.IssuerURL, PEM: issuer.PEM(), AuthorizedParties: parties, Now: atNoon})
	require.NoError(t, err)
	for azp, taken := range map[any]bool{nil: true, authtest.AuthorizedParty: true, "": false, "native": false, "https://evil.test": false} {
		_, err := sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, map[string]any{"azp": azp})))
		if taken {
			require.NoError(t, err, "azp %v", azp)
			continue
		}
		requireRefused(t, err, auth.Invalid, "another site")
	}
}

func TestTheGivenClockRules(t *testing.T) {
	issuer := authtest.New(t)
	for _, year := range []int{1971, 2026, 2099} {
		then := time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)
		sessions := issuer.Sessions(func() time.Time { return then })
		claims := authtest.Claims("user_a", then, nil)
		_, err := sessions.Verify(t.Context(), issuer.Token(claims))
		require.NoError(t, err, "a token of %d in %d", year, year)

		late := maps.Clone(claims)
		late["exp"] = then.Add(-time.Hour).Unix()
		_, err = sessions.Verify(t.Context(), issuer.Token(late))
		requireRefused(t, err, auth.Invalid, "expired")
	}
}

func TestOneVerifierServesManyAtOnce(t *testing.T) {
	issuer := authtest.New(t)
	sessions := issuer.Sessions(atNoon)
	var group sync.WaitGroup
	for _, id := range []string{"user_a", "user_b", "user_c", "user_d"} {
		token := issuer.Token(authtest.Claims(id, noon, nil))
		group.Go(func() {
			for range 20 {
				player, err := sessions.Verify(t.Context(), token)
				assert.NoError(t, err)
				assert.Equal(t, id, player.ID)
			}
		})
	}
	group.Wait()
}
