package functions_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/child"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

const redisPassword = "a-password-of-redis-of-32-characters-or-more"

// A Redis over TLS takes scores from a process that trusts its certificate, and from no other.
func TestTheProductRunsOnARedisOverTLS(t *testing.T) {
	certificate, port := redisOverTLS(t)
	env := func(password string, more ...string) []string {
		return append(more, "REDIS_URL=rediss://:"+password+"@127.0.0.1:"+port+"/0", "SIGNING_KEYS="+signingKey, "OPS_TOKEN="+operatorToken)
	}
	binary, body := forAnyHost(t, "all"), `{"mode":"daily_frame","player":"user_a","score":800}`
	submit := func(s *service) int {
		return s.status(t, "POST", "/v1/scores", body, map[string]string{"Framedle-Signature": auth.Sign(signingKey, time.Now(), []byte(body))})
	}
	trusts := startBinary(t, binary, env(redisPassword, "SSL_CERT_FILE="+certificate)...)
	require.Equal(t, 201, submit(trusts))
	require.Equal(t, 200, trusts.status(t, "GET", "/v1/leaderboards/daily_frame", "", nil))
	require.Equal(t, 200, trusts.status(t, "GET", "/v1/leaderboards/daily_frame/players/user_a", "", nil))
	require.NotContains(t, trusts.stop(), "error")

	operator := map[string]string{"Authorization": "Bearer " + operatorToken}
	for says, s := range map[string]*service{
		"certificate signed by unknown authority": startBinary(t, binary, env(redisPassword)...),
		"Redis rejects the token":                 startBinary(t, binary, env("other-"+redisPassword, "SSL_CERT_FILE="+certificate)...),
	} {
		require.Equal(t, 503, submit(s), says)
		detail := s.detail(t, "/v1/ops/health", operator)
		log := s.stop()
		require.Contains(t, log, says)
		require.NotContains(t, log+detail, redisPassword)
	}
}

// redisOverTLS starts a server that ends with the test, and returns its certificate's file and
// its port.
func redisOverTLS(t *testing.T) (certificate, port string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	folder := t.TempDir()
	certificate = filepath.Join(folder, "cert.pem")
	require.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	binary, found := redisd.Find()
	require.True(t, found, redisd.ErrNotFound)
	port, err = child.OnFreePort(func(port int) (string, error) {
		number := strconv.Itoa(port)
		server, err := child.Start(exec.CommandContext(t.Context(), binary, "--bind", "127.0.0.1", "--port", "0", "--tls-port", number,
			"--tls-cert-file", certificate, "--tls-key-file", filepath.Join(folder, "key.pem"), "--tls-ca-cert-file", certificate,
			"--tls-auth-clients", "no", "--requirepass", redisPassword, "--save", "", "--dir", folder),
			child.NewTail("eady to accept connections"), syscall.SIGKILL)
		if err != nil {
			return "", err
		}
		t.Cleanup(server.End)
		select {
		case <-server.Log.Ready:
			return number, nil
		case <-server.Exited:
			t.Log(server.Log)
			return "", child.ErrPortTaken
		}
	})
	require.NoError(t, err)
	return certificate, port
}
