package template_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADomainLeadsToTheWholeAPI(t *testing.T) {
	all := rendered(t, map[string]string{"DomainName": "api.example.com", "CertificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/a-b"})
	require.Equal(t, map[string]any{
		"DomainName": "api.example.com",
		"DomainNameConfigurations": []any{map[string]any{
			"CertificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/a-b", "EndpointType": "REGIONAL", "SecurityPolicy": "TLS_1_2",
		}},
	}, all["ApiDomain"])
	require.Equal(t, map[string]any{"ApiId": "HttpApi", "DomainName": "ApiDomain", "Stage": "HttpApi.Stage"}, all["ApiDomainMapping"])
	for _, tt := range []struct {
		parameter, value string
		taken            bool
	}{
		{"DomainName", "", true},
		{"DomainName", "api.example.com", true},
		{"DomainName", "https://api.example.com", false},
		{"DomainName", "api.example.com/", false},
		{"DomainName", "localhost", false},
		{"CertificateArn", "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012", true},
		{"CertificateArn", "arn:aws:iam::123456789012:server-certificate/x", false},
	} {
		for _, p := range project(t).Parameters {
			if p.Name == tt.parameter {
				require.Equal(t, tt.taken, regexp.MustCompile(p.AllowedPattern).MatchString(tt.value), "%s: %q", tt.parameter, tt.value)
			}
		}
	}
}
