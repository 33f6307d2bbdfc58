/** Sounds of English in each alphabet, and how the engine writes them. */
type Sounds = Readonly<Record<string, string>>

/** Written alike in X-SAMPA and by the engine. */
const same = 'p b t d k f v s z h m n l j w x i: u: O: A: 3: eI aI OI aU oU tS dZ T D S Z N I E V U O @ i e u o ?'
const alike: Sounds = Object.fromEntries(same.split(' ').map((sound) => [sound, sound]))

const xSampa: Sounds = {
  ...alike,
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

const longest = 3

/** The engine's own notation. What it does not know is handed to `refuse`, as it was written. */
export function phonemesOf(written: string, sounds: Sounds, refuse: (sound: string) => never): string {
  const said: string[] = []
  for (let at = 0; at < written.length; ) {
    const candidates = [written.slice(at, at + longest), written.slice(at, at + 2), written.slice(at, at + 1)]
    const sound = candidates.find((candidate) => Object.hasOwn(sounds, candidate))
    if (sound === undefined) refuse(String.fromCodePoint(written.codePointAt(at) ?? 0))
    said.push(sounds[sound] ?? '')
    at += sound.length
  }
  // What follows the brackets at once is read as text, even a tag.
  return `[[${said
    .filter((one) => one !== '')
    .join('|')
    .replaceAll('| |', ' ')}]] `
}
