import { invalid } from '../errors.ts'
import { limits } from './limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A body that strangers wrote, as JSON: in UTF-8, not too deep, and without names that mean something to the language. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes)
    refuseDepth(text)
    return text.includes('__proto__') ? JSON.parse(text, refusePrototype) : JSON.parse(text)
  } catch (error) {
    invalid([{ at: 'body', message: `is not JSON that we take: ${(error as Error).message}` }])
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a property name that we take')
  return value
}

const quote = 34
const backslash = 92

/** Whatever walks through a value later does so by calling itself: too deep a value would exhaust the stack. */
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
    // [ and {, ] and }: they differ in one bit
    else if ((code | 32) === 123) {
      if (++depth > limits.jsonDepth) throw new SyntaxError(`it is nested more than ${limits.jsonDepth} levels deep`)
    } else if ((code | 32) === 125) depth--
  }
}
