import { Failure } from '@icosa/kernel'
import { parsePattern } from '../../../services/language-authoring/src/engine/index.ts'
import { parseApp } from '../../../services/language-authoring/src/exchange/parse.ts'
import type { Target } from '../target.ts'

export const target: Target = {
  seeds: [
    '> !# @app.name = Travel\n> !# @app.culture = en-us\n\n# Book\n- book a {@City=Oslo} trip\n- fly [to] {City:to=Rome}\n\n@ ml City hasRoles from, to\n@ prebuilt number\n',
    '# None\n- hello\n@ list Color =\n\t- red:\n\t\t- crimson\n@ regex Form = /hrf-[0-9]{4}/\n@ phraselist Words(interchangeable) =\n\t- a,b\n@ composite C = [City, Color]\n@ patternany any\n',
    '# I\n- find (a|b) {any}\n@ ml Order usesFeatures Words\n\t- @ number Floor\n\t\t- @ ml Deep\n@ intent I usesFeature Words\n',
    JSON.stringify({
      luis_schema_version: '7.0.0',
      name: 'A',
      versionId: '0.1',
      culture: 'en-us',
      intents: [{ name: 'None' }],
      entities: [{ name: 'E', children: [], roles: ['r'] }],
      closedLists: [{ name: 'L', subLists: [{ canonicalForm: 'a', list: ['b'] }] }],
      utterances: [{ text: 'a b', intent: 'None', entities: [{ entity: 'E', startPos: 0, endPos: 0 }] }],
      patterns: [{ pattern: 'a {E}', intent: 'None' }],
    }),
  ],
  dictionary: [
    '\n',
    '\n- ',
    '\n# ',
    '\n@ ml ',
    '\n@ list ',
    '{',
    '}',
    '{@',
    '=',
    '[',
    ']',
    '(',
    '|',
    ')',
    '\\',
    ' hasRoles ',
    ' usesFeatures ',
    '\t',
    '"__proto__"',
    '> !# @app.',
    '\n@ regex a = /(',
  ],
  refusals: [Failure],
  maxBytes: 300_000,
  async run(bytes) {
    const { content } = await parseApp(bytes)
    for (const { pattern } of content.patterns.slice(0, 100))
      try {
        parsePattern(pattern)
      } catch (error) {
        if (!(error as Error).message.startsWith('the pattern')) throw error
      }
  },
}
