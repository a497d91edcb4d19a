// Package npmtest lets Go tests run tests of Node: it installs the packages of a
// package-lock.json, once, and makes each of Node's tests a subtest.
package npmtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Need returns an error where one of the programs is missing.
func Need(programs ...string) error {
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is not on PATH: these tests need Node.js 20 or newer with npm (https://nodejs.org, or Debian's packages nodejs and npm)", program)
		}
	}
	return nil
}

// Install makes a folder's node_modules match its package-lock.json.
func Install(ctx context.Context, folder string) error {
	if err := Need("node", "npm"); err != nil {
		return err
	}
	lock, err := os.Stat(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return err
	}
	// npm writes this file at the end of an installation.
	installed, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json"))
	if err == nil && !installed.ModTime().Before(lock.ModTime()) {
		return nil
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", folder, err, out)
	}
	return nil
}
