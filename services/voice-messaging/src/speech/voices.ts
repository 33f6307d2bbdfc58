import { invalid } from '@icosa/kernel'
import { voiceNames } from '../names.ts'

/** Languages of the engine, by their shortest codes. */
const languages = new Set(
  (
    'af am an ar as az ba be bg bn bpy bs ca cmn cs cv cy da de el en eo es et eu fa fi fr ga gd gn grc gu hak haw he ' +
    'hi hr ht hu hy hyw ia id io is it ja jbo ka kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt my nb nci ' +
    'ne nl nog om or pa pap pl pt qu quc ro ru sd shn si sk sl smj sq sr sv sw ta te th tk tn tr tt ug uk ur uz vi yue'
  ).split(' '),
)

/** Codes with another name or an accent in the engine. */
const accents: Readonly<Record<string, string>> = {
  arb: 'ar',
  en: 'en-us',
  'en-us': 'en-us',
  'en-ca': 'en-us',
  'en-029': 'en-029',
  'en-gb-scotland': 'en-gb-scotland',
  'es-419': 'es-419',
  'es-mx': 'es-419',
  'es-us': 'es-419',
  fr: 'fr-fr',
  'fr-be': 'fr-be',
  'fr-ch': 'fr-ch',
  no: 'nb',
  'pt-br': 'pt-br',
  zh: 'cmn',
}

export const defaultLanguage = 'en-US'

/** Returns the engine's voice for a language such as `de-DE`, if it is supported. */
export function voiceOf(language: string): string | undefined {
  const code = language.toLowerCase()
  const [primary = ''] = code.split('-')
  if (primary === 'en' && accents[code] === undefined) return 'en-gb'
  return accents[code] ?? accents[primary] ?? (languages.has(primary) ? primary : undefined)
}

interface Speaker {
  readonly language: string
  /** The engine's voice variant, such as `+f2`. */
  readonly variant: string
}

const variants = { female: 5, male: 7 }

const speakers = new Map<string, Speaker>(
  Object.entries(voiceNames).flatMap(([language, names]) =>
    (['female', 'male'] as const).flatMap((sex) =>
      (names[sex]?.split(' ') ?? []).map((name, index): [string, Speaker] => [
        name.toLowerCase(),
        { language, variant: `+${sex[0]}${(index % variants[sex]) + 1}` },
      ]),
    ),
  ),
)

export interface VoiceChoice {
  readonly LanguageCode?: string | undefined
  readonly VoiceId?: string | undefined
}

/** Selects a voice: `LanguageCode` takes precedence over the language of `VoiceId`, which gives the timbre. */
export function chosenVoice({ LanguageCode, VoiceId }: VoiceChoice, at: string): string {
  const speaker = VoiceId === undefined ? undefined : speakers.get(VoiceId.toLowerCase())
  if (VoiceId !== undefined && !speaker)
    invalid([{ at: `${at}/VoiceId`, message: `'${VoiceId}' is not a known voice: omit it, or use one such as Joanna` }])
  const language = LanguageCode ?? speaker?.language ?? defaultLanguage
  const voice = voiceOf(language)
  if (voice === undefined)
    invalid([
      {
        at: `${at}/LanguageCode`,
        message: `'${language}' is not a supported language: use one such as en-US or de-DE`,
      },
    ])
  return `${voice}${speaker?.variant ?? ''}`
}

/** Removes the timbre of a voice. */
export const languageOf = (voice: string) => voice.split('+')[0] ?? voice
