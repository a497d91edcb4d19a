// Package leaderboards holds the files of the deployment that programs need at
// run time. It knows no more of them than their bytes; internal/platform/template reads
// them.
package leaderboards

import _ "embed"

// Template is template.yaml, the AWS SAM template that declares every function,
// route and schedule.
//
//go:embed template.yaml
var Template []byte
