import { spawnSync } from 'node:child_process'
import { Failure } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { fileNames, load } from './binding.ts'
import { DEFAULT_TABLE, tables } from './tables.ts'
import { backTranslate, translate } from './translate.ts'

function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing failed')
}

/** Runs code in a new process, with the exports of this folder as `braille`. */
function inOwnProcess(code: string, environment: NodeJS.ProcessEnv = {}) {
  const script = `const braille = { ...(await import('./translate.ts')), ...(await import('./tables.ts')) }\n${code}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: 30_000,
  })
}

describe('tables', () => {
  test('describe themselves', () => {
    expect(tables().length).toBeGreaterThan(100)
    expect(tables().find(({ id }) => id === DEFAULT_TABLE)).toEqual({
      id: 'en-ueb-g2.ctb',
      name: 'Unified English contracted braille',
      language: 'en',
      grade: '2',
      type: 'literary',
    })
    for (const { id, name, language } of tables()) expect([id, name, language]).not.toContain('')
  })

  test('all translate, to nothing but braille', () => {
    for (const { id } of tables()) {
      const { cells } = translate('Hello, 123! Größe, naïve; „Haus“ www.example.com 😀\tπ', id)
      expect(cells, id).toMatch(/^[\u2800-\u28ff]+$/)
    }
  })

  test('mark characters that they cannot write by more than one cell, which could be a word or a letter', () => {
    const withoutLatin: string[] = []
    for (const { id } of tables()) {
      const { cells, replaced } = translate('\u{1f600}', id)
      if (replaced.length === 0) continue
      if (cells === '⣿') withoutLatin.push(id)
      else expect(cells.length, id).toBeGreaterThanOrEqual('y1f600'.length)
    }
    expect(withoutLatin.length).toBeLessThan(20)
  })

  test('write the same word in their own ways', () => {
    expect(translate('the').cells).toBe('⠮')
    expect(translate('the', 'en-ueb-g1.ctb').cells).toBe('⠞⠓⠑')
    expect(translate('Schule', 'de-g2.ctb').cells).toBe('⠱⠥⠇⠑')
  })

  test('are chosen by id, never by path', () => {
    for (const id of [
      '',
      'klingon.ctb',
      '../tables/en-ueb-g2.ctb',
      '/etc/passwd',
      'en-ueb-g2.ctb,en-ueb-g1.ctb',
      'toString',
    ]) {
      const failure = failureOf(() => translate('a', id))
      expect(failure.kind).toBe('invalid')
      expect(failure.message).toContain('list the tables')
    }
  })

  test('refuse back-translation if they only translate forward', () => {
    expect(failureOf(() => backTranslate('⠁', 'de-g2.ctb'))).toMatchObject({ kind: 'invalid' })
  })
})

describe('liblouis', () => {
  test('is loaded on the first translation', () => {
    const { stdout } = inOwnProcess(`
      import { readFileSync } from 'node:fs'
      const loaded = () => readFileSync('/proc/self/maps', 'utf8').includes('liblouis')
      console.log(loaded(), braille.translate('a').cells, loaded())`)
    expect(stdout.trim()).toBe('false ⠁ true')
  })

  test('names the packages to install when it is missing', () => {
    const failure = failureOf(() => load('liblouis-missing.so'))
    expect(failure.kind).toBe('unavailable')
    expect(failure.message).toContain('liblouis20')
    expect(failure.message).toContain('liblouis-data')
  })

  test('is loaded by the first file name that works on the system', () => {
    expect(fileNames('linux')).toEqual(['liblouis.so.20'])
    expect(fileNames('win32')).toEqual(['liblouis.dll'])
    expect(fileNames('darwin')).toContain('/opt/homebrew/lib/liblouis.20.dylib')
    expect(load(...fileNames('darwin'), ...fileNames('linux')).version()).toMatch(/^\d+\./)
  })

  test('names the package to install when its tables are missing', () => {
    const { stdout } = inOwnProcess(
      'try { braille.translate("a") } catch (error) { console.log(error.kind, error.message) }',
      {
        LOUIS_TABLEPATH: '/nowhere',
      },
    )
    expect(stdout).toMatch(/^unavailable .*liblouis-data/)
  })

  test.each([
    ['de-g0.utb', ') ?.ng'],
    ['de-g0.utb', '... —:the.de ((.mc Z.ec.de2 x.bz.jm'],
    ['hr-g1.tbl', 'an.ch.hr2 °.gif g§” ?§.wav.³.\u3000ك@\u3000!'],
    ['lv.tbl', ',กB*.gov--'],
    ['no-no-g0.utb', '.mp3an日%A.docx.docx.xsl+....§1nHELLO'],
  ])(
    'returns for texts on which it would loop endlessly: %s, %s',
    (table, text) => {
      const { stdout, signal } = inOwnProcess(
        `console.log(/^[\\u2800-\\u28ff]+$/.test(braille.translate(${JSON.stringify(text)}, '${table}').cells))`,
      )
      expect(signal).toBeNull()
      expect(stdout.trim()).toBe('true')
    },
    40_000,
  )
})
