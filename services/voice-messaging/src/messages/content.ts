import { invalid } from '@icosa/kernel'
import { instructionsOf, plainOf, ssmlOf } from '../speech/ssml/ssml.ts'
import type { Speech } from '../speech/synthesize.ts'
import { chosenVoice, languageOf, type VoiceChoice } from '../speech/voices.ts'
import type { VoiceMessageContent } from './contract.ts'

const at = 'body/Content'

/** Parsers of the three kinds of content. */
const readers: Readonly<Record<keyof VoiceMessageContent, (text: string, at: string, language: string) => string>> = {
  PlainTextMessage: plainOf,
  SSMLMessage: ssmlOf,
  CallInstructionsMessage: instructionsOf,
}

/** Parses the content, and refuses what cannot be spoken. */
export function readContent(content: VoiceMessageContent | undefined): Speech {
  const forms = (Object.keys(readers) as (keyof VoiceMessageContent)[]).filter((form) => content?.[form] !== undefined)
  const [form, ...others] = forms
  if (form === undefined || others.length > 0)
    invalid([{ at, message: `must have exactly one of ${Object.keys(readers).join(', ')}` }])
  const message: VoiceChoice & { readonly Text?: string | undefined } = content?.[form] ?? {}
  const text = message.Text
  if (text === undefined) invalid([{ at: `${at}/${form}/Text`, message: 'is required' }])
  const voice = chosenVoice(message, `${at}/${form}`)
  return { ssml: readers[form](text, `${at}/${form}/Text`, languageOf(voice)), voice }
}
