'use strict'
/** Runs the script `gcp-build` of package.json in a copy of /workspace, and writes that to stdout as a compressed tar. */
const { spawnSync } = require('node:child_process')
const { cpSync, mkdirSync, symlinkSync } = require('node:fs')

const copy = '/tmp/workspace'
cpSync('/workspace', copy, { recursive: true, verbatimSymlinks: true })
mkdirSync('/tmp/bin')
symlinkSync('/node', '/tmp/bin/node')
const env = { ...process.env, PATH: `${copy}/node_modules/.bin:/tmp/bin:/usr/bin:/bin`, HOME: '/tmp' }
const script = JSON.parse(require('node:fs').readFileSync(`${copy}/package.json`, 'utf8')).scripts['gcp-build']
const { status } = spawnSync('/bin/sh', ['-c', script], { cwd: copy, env, stdio: ['ignore', 2, 2] })
if (status !== 0) process.exit(1)
process.exit(spawnSync('tar', ['-czf', '-', '-C', copy, '.'], { stdio: ['ignore', 1, 2] }).status ?? 1)
