import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coverService } from '@icosa/testing/cover'
import { unpackAnalysis } from './index.ts'
import { settings } from './settings.ts'

const state = mkdtempSync(join(tmpdir(), 'icosa-unpack-cover-'))

coverService(unpackAnalysis({ ...settings.read({}), runtime: 'bwrap', state }))
