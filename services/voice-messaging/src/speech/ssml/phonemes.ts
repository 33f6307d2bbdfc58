/** The engine's notation of English sounds in an alphabet. */
type Sounds = Readonly<Record<string, string>>

/** The same in X-SAMPA and the engine's notation. */
const common = 'p b t d k f v s z h m n l j w x i: u: O: A: 3: eI aI OI aU oU tS dZ T D S Z N I E V U O @ i e u o ?'
const commonSounds: Sounds = Object.fromEntries(common.split(' ').map((sound) => [sound, sound]))

const xSampa: Sounds = {
  ...commonSounds,
  '"': "'",
  '%': ',',
  '.': '',
  ' ': ' ',
  g: 'g',
  r: 'r',
  'r\\': 'r',
  '4': '*',
  '{': 'a',
  a: 'a',
  A: 'A:',
  Q: '0',
  '3': '3:',
  '3`': '3:',
  '@`': '3',
  '@U': 'oU',
  'e@': 'e@',
  'U@': 'U@',
  'n=': '@n',
  'l=': '@L',
}

const ipa: Sounds = {
  ...Object.fromEntries('p b t d k f v s z h m n l j w x i e u o'.split(' ').map((sound) => [sound, sound])),
  ˈ: "'",
  ˌ: ',',
  '.': '',
  ' ': ' ',
  ɡ: 'g',
  g: 'g',
  r: 'r',
  ɹ: 'r',
  ɾ: '*',
  ɫ: 'l',
  ʔ: '?',
  θ: 'T',
  ð: 'D',
  ʃ: 'S',
  ʒ: 'Z',
  ŋ: 'N',
  tʃ: 'tS',
  t͡ʃ: 'tS',
  ʧ: 'tS',
  dʒ: 'dZ',
  d͡ʒ: 'dZ',
  ʤ: 'dZ',
  n̩: '@n',
  l̩: '@L',
  iː: 'i:',
  uː: 'u:',
  ɔː: 'O:',
  ɑː: 'A:',
  ɜː: '3:',
  ɝ: '3:',
  ɚ: '3',
  ə: '@',
  æ: 'a',
  a: 'a',
  ɑ: 'A:',
  ɒ: '0',
  ɔ: 'O',
  ɛ: 'E',
  ɜ: '3:',
  ɪ: 'I',
  ʊ: 'U',
  ʌ: 'V',
  eɪ: 'eI',
  aɪ: 'aI',
  ɔɪ: 'OI',
  aʊ: 'aU',
  oʊ: 'oU',
  əʊ: 'oU',
  eə: 'e@',
  ʊə: 'U@',
}

export const alphabets: Readonly<Record<string, Sounds>> = { ipa, 'x-sampa': xSampa }

const maxLength = 3

/** Converts phonemes to the engine's notation. Calls `refuse` with an unsupported one. */
export function phonemesOf(phonemes: string, sounds: Sounds, refuse: (sound: string) => never): string {
  const converted: string[] = []
  for (let at = 0; at < phonemes.length; ) {
    const candidates = [phonemes.slice(at, at + maxLength), phonemes.slice(at, at + 2), phonemes.slice(at, at + 1)]
    const sound = candidates.find((candidate) => Object.hasOwn(sounds, candidate))
    if (sound === undefined) refuse(String.fromCodePoint(phonemes.codePointAt(at) ?? 0))
    converted.push(sounds[sound] ?? '')
    at += sound.length
  }
  // Without a space, the engine reads a following tag as text.
  return `[[${converted
    .filter((phoneme) => phoneme !== '')
    .join('|')
    .replaceAll('| |', ' ')}]] `
}
