package icosa

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Version of Icosa that npx runs where it is not installed.
const Version = "0.1.0"

// Options of Start, all of which have defaults.
type Options struct {
	// Services are names or letters. Default: all; fewer start faster.
	Services []string
	// Env has settings, by their names in docs/operate/configuration.md.
	Env map[string]string
	// Port: any free one by default.
	Port int
	// Command runs Icosa. Default: ICOSA_COMMAND, or icosa from the PATH, or npx.
	Command []string
	// Timeout of the start. Default: two minutes.
	Timeout time.Duration
}

const stopTimeout = time.Minute

// Start starts an instance with a PostgreSQL and a data folder of its own, which Close deletes.
func Start(options Options) (*Icosa, error) {
	command := options.Command
	if len(command) == 0 {
		found, err := findCommand()
		if err != nil {
			return nil, err
		}
		command = found
	}
	arguments := append(append([]string{}, command[1:]...), "dev", "--temporary", "--json", "--port", strconv.Itoa(options.Port))
	if len(options.Services) > 0 {
		arguments = append(arguments, "--services", strings.Join(options.Services, ","))
	}
	process := exec.Command(command[0], arguments...)
	process.Env = os.Environ()
	for name, value := range options.Env {
		process.Env = append(process.Env, name+"="+value)
	}
	log := &tail{}
	process.Stderr = log
	// The instance ends with its stdin, even if this process is killed.
	stdin, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	closing := closer(process, stdin)
	app, err := ready(stdout, options.Timeout)
	if err != nil {
		_ = process.Process.Kill()
		_ = closing()
		return nil, fmt.Errorf("icosa: %s did not start: %w\n%s", process, err, log)
	}
	app.close = closing
	return app, nil
}

func closer(process *exec.Cmd, stdin io.Closer) func() error {
	var once sync.Once
	var result error
	return func() error {
		once.Do(func() {
			_ = stdin.Close()
			late := time.AfterFunc(stopTimeout, func() { _ = process.Process.Kill() })
			defer late.Stop()
			result = process.Wait()
		})
		return result
	}
}

// ready waits for the line that an instance prints once it is ready.
func ready(stdout io.Reader, timeout time.Duration) (*Icosa, error) {
	if timeout == 0 {
		timeout = 2 * time.Minute
	}
	lines := make(chan []byte, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadBytes('\n')
		lines <- line
	}()
	select {
	case <-time.After(timeout):
		return nil, fmt.Errorf("it was not ready within %v", timeout)
	case line := <-lines:
		var started struct {
			URL      string
			Platform struct{ Credentials struct{ Key string } }
		}
		if err := json.Unmarshal(line, &started); err != nil {
			return nil, errors.New("it ended")
		}
		return Connect(started.URL, started.Platform.Credentials.Key, nil)
	}
}

func findCommand() ([]string, error) {
	if named := strings.Fields(os.Getenv("ICOSA_COMMAND")); len(named) > 0 {
		return named, nil
	}
	if path, err := exec.LookPath("icosa"); err == nil {
		return []string{path}, nil
	}
	if path, err := exec.LookPath("npx"); err == nil {
		return []string{path, "--yes", "icosa@" + Version}, nil
	}
	return nil, errors.New("icosa: there is neither icosa nor npx on the PATH: install Node 24, or set ICOSA_COMMAND")
}

// tail keeps the end of a log.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

const maxTail = 4_000

func (log *tail) Write(text []byte) (int, error) {
	log.mutex.Lock()
	defer log.mutex.Unlock()
	log.text = append(log.text, text...)
	if excess := len(log.text) - maxTail; excess > 0 {
		log.text = log.text[excess:]
	}
	return len(text), nil
}

func (log *tail) String() string {
	log.mutex.Lock()
	defer log.mutex.Unlock()
	return string(log.text)
}
