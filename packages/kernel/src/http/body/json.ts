import { checkStorable, type NulSchema } from '../../db/storable.ts'
import { invalid } from '../../errors.ts'
import { limits } from '../limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses an untrusted JSON body: UTF-8, of limited depth, without `__proto__` and without text that the database cannot
 * store.
 */
export function parseJson(bytes: Uint8Array, schema?: NulSchema): unknown {
  const { text, value } = parse(bytes)
  // In valid UTF-8 such text must be escaped: one test of the whole is cheaper than one per string.
  if (escaped.test(text)) checkStorable(value, 'body', schema)
  return value
}

const escaped = /\\u(?:0000|[dD][89a-fA-F])/

function parse(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = utf8.decode(bytes)
    refuseDepth(text)
    return { text, value: text.includes('__proto__') ? JSON.parse(text, refusePrototype) : JSON.parse(text) }
  } catch (error) {
    invalid([{ at: 'body', message: `is not acceptable JSON: ${(error as Error).message}` }])
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not allowed as a property name')
  return value
}

const quote = 34
const backslash = 92

/** Later code walks values recursively: deep nesting would exhaust the stack. */
function refuseDepth(text: string): void {
  if (text.length <= limits.jsonDepth) return
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    // [ and { differ in one bit, as do ] and }
    else if ((code | 32) === 123) {
      if (++depth > limits.jsonDepth) throw new SyntaxError(`it is nested more than ${limits.jsonDepth} levels deep`)
    } else if ((code | 32) === 125) depth--
  }
}
