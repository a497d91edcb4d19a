package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func inPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func publicPEM(t *testing.T, key any) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	require.NoError(t, err)
	return inPEM("PUBLIC KEY", der)
}

func TestKeysAreReadInEveryUsualForm(t *testing.T) {
	issuer := authtest.New(t)
	block, _ := pem.Decode([]byte(issuer.PEM()))
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	require.NoError(t, err)
	pkcs1 := inPEM("RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(key.(*rsa.PublicKey)))

	for name, text := range map[string]string{
		"PKIX":                   issuer.PEM(),
		"PKCS #1":                pkcs1,
		"literal line ends":      strings.ReplaceAll(issuer.PEM(), "\n", `\n`),
		"literal CRLF line ends": strings.ReplaceAll(issuer.PEM(), "\n", `\r\n`),
		"CRLF line ends":         strings.ReplaceAll(issuer.PEM(), "\n", "\r\n"),
		"no line end at the end": strings.TrimSpace(issuer.PEM()),
		"white space around":     "\n  " + issuer.PEM() + "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			sessions, err := auth.NewSessions(auth.SessionConfig{Issuer: authtest.IssuerURL, PEM: text, Now: atNoon})
			require.NoError(t, err)
			_, err = sessions.Verify(t.Context(), issuer.Token(authtest.Claims("user_a", noon, nil)))
			require.NoError(t, err)
		})
	}
}

func TestWrongKeysAreExplained(t *testing.T) {
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	good := authtest.New(t).PEM()

	for name, test := range map[string]struct{ pem, says string }{
		"not PEM":              {"pk_test_abc", "CLERK_JWT_KEY is not PEM"},
		"cut off":              {good[:100], "CLERK_JWT_KEY is not PEM"},
		"five keys":            {strings.Repeat(good, 5), "more than 4 keys"},
		"text before":          {"key: " + good, "CLERK_JWT_KEY is not PEM"},
		"text after":           {good + "more", "CLERK_JWT_KEY is not PEM"},
		"a good key and a bad": {good + publicPEM(t, &short.PublicKey), "1024 bits"},
		"a damaged first key":  {good[:100] + "\n" + good, "cannot be read"},
		"1024 bits":            {publicPEM(t, &short.PublicKey), "1024 bits: use at least 2048"},
		"an elliptic curve":    {publicPEM(t, &curve.PublicKey), "not an RSA key"},
		"a private key":        {inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(short)), "this is a private key"},
		"a certificate":        {inPEM("CERTIFICATE", []byte{1}), `"CERTIFICATE" is not a public key`},
		"broken PKIX":          {inPEM("PUBLIC KEY", []byte{1, 2, 3}), "cannot be parsed"},
		"broken PKCS #1":       {inPEM("RSA PUBLIC KEY", []byte{1, 2, 3}), "cannot be parsed"},
		"PKCS #1 named public": {inPEM("PUBLIC KEY", x509.MarshalPKCS1PublicKey(&short.PublicKey)), "cannot be parsed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := auth.NewSessions(auth.SessionConfig{Issuer: authtest.IssuerURL, PEM: test.pem, Now: atNoon})
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "CLERK_JWT_KEY")
		})
	}
}

func TestWrongIssuersAndPartiesAreExplained(t *testing.T) {
	key := authtest.New(t).PEM()
	for name, test := range map[string]struct {
		issuer  string
		parties []string
		says    string
	}{
		"empty issuer":            {"", nil, "CLERK_ISSUER"},
		"issuer over http":        {"http://clerk.example.com", nil, "CLERK_ISSUER"},
		"issuer without scheme":   {"clerk.example.com", nil, "CLERK_ISSUER"},
		"issuer with slash":       {"https://clerk.example.com/", nil, "without a trailing slash"},
		"issuer with query":       {"https://clerk.example.com?x", nil, "CLERK_ISSUER"},
		"issuer with password":    {"https://a:b@clerk.example.com", nil, "CLERK_ISSUER"},
		"issuer with white space": {"https://clerk.example.com ", nil, "CLERK_ISSUER"},
		"issuer of development":   {"https://clerk.framedle.localhost", nil, "development"},
		"the same in capitals":    {"https://CLERK.FRAMEDLE.LOCALHOST", nil, "development"},
		"the same with a dot":     {"https://clerk.framedle.localhost.", nil, "development"},
		"the same with a port":    {"https://clerk.framedle.localhost:443", nil, "development"},
		"localhost itself":        {"https://localhost", nil, "development"},
		"empty party":             {authtest.IssuerURL, []string{""}, "CLERK_AUTHORIZED_PARTIES"},
		"party with slash":        {authtest.IssuerURL, []string{"https://a.test/"}, "without a path"},
		"party without scheme":    {authtest.IssuerURL, []string{"a.test"}, "CLERK_AUTHORIZED_PARTIES"},
		"party with white space":  {authtest.IssuerURL, []string{"https://a.test", " https://b.test"}, "CLERK_AUTHORIZED_PARTIES"},
		"party for all":           {authtest.IssuerURL, []string{"*"}, "CLERK_AUTHORIZED_PARTIES"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := auth.NewSessions(auth.SessionConfig{Issuer: test.issuer, AuthorizedParties: test.parties, PEM: key, Now: atNoon})
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestEveryWrongVariableIsNamedAtOnce(t *testing.T) {
	_, err := auth.NewSessions(auth.SessionConfig{Issuer: "x", AuthorizedParties: []string{"y"}, PEM: "z", JWKSURL: "http://x"})
	for _, says := range []string{"CLERK_ISSUER", "CLERK_AUTHORIZED_PARTIES", "CLERK_JWT_KEY", "CLERK_JWKS_URL", "clock"} {
		require.ErrorContains(t, err, says)
	}
}

func TestEveryKeyGivenDuringARotationIsTaken(t *testing.T) {
	one, two, stranger := authtest.New(t), authtest.New(t), authtest.New(t)
	sessions, err := auth.NewSessions(auth.SessionConfig{
		Issuer: authtest.IssuerURL, PEM: one.PEM() + "\n" + two.PEM(), Now: atNoon,
	})
	require.NoError(t, err)
	claims := authtest.Claims("user_a", noon, nil)
	for _, issuer := range []*authtest.Issuer{one, two} {
		_, err := sessions.Verify(t.Context(), issuer.Token(claims))
		require.NoError(t, err)
	}
	_, err = sessions.Verify(t.Context(), stranger.Token(claims))
	requireRefused(t, err, auth.Invalid, "token signature")
}

func TestUsualIssuersAndPartiesAreTaken(t *testing.T) {
	key := authtest.New(t).PEM()
	for _, issuer := range []string{
		"https://clerk.example.com",
		"https://happy-otter-12.clerk.accounts.dev",
		"https://example.com/__clerk",
	} {
		_, err := auth.NewSessions(auth.SessionConfig{
			Issuer:            issuer,
			AuthorizedParties: []string{"https://example.com", "http://localhost:3000", "capacitor://localhost"},
			PEM:               key,
			Now:               atNoon,
		})
		require.NoError(t, err)
	}
}
