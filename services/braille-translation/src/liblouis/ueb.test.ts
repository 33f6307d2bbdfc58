import { describe, expect, test } from 'vitest'
import { display } from '../translations/forms.ts'
import { translate } from './translate.ts'

/**
 * Known answers for Unified English Braille, grade 2, written from the rules and not by any translator, in ASCII
 * braille: `! cat` is "the cat".
 */
const rules: Record<string, Record<string, string>> = {
  'a letter alone is a word': {
    'but can do every from go have just': 'b c d e f g h j',
    'knowledge like more not people quite rather so': 'k l m n p q r s',
    'that us very will it you as': 't u v w x y z',
  },
  'strong contractions and wordsigns': {
    'and for of the with': '& = ( ! )',
    'child shall this which out still': '* % ? : \\ /',
  },
  'strong groupsigns occur inside words': {
    brother: 'bro!r',
    night: 'ni<t',
    hushed: 'hu%$',
    whisper: ':isp]',
    thing: '?+',
  },
  'lower groupsigns: ea inside, be con dis at the start': {
    bread: 'br1d',
    tea: 'tea',
    become: '2come',
    concert: '3c]t',
    distance: '4t.e',
    rabbit: 'ra2it',
  },
  'lower wordsigns give way beside lower punctuation': {
    'it was in': 'x 0 9',
    'It was his.': ',x 0 his4',
  },
  'initial-letter contractions': {
    'day ever father here know lord mother': '"d "e "f "h "k "l "m',
    'there character through where ought': '"! "* "? ": "\\',
    'upon these those whose word': '^u ^! ^? ^: ^w',
    'cannot had many spirit their world': '_c _h _m _s _! _w',
    department: 'de"p;t',
  },
  'final-letter groupsigns': {
    'sound advance mission careless account': 's.d adv.e mis.n c>e.s a3.t',
    'sentence long hopeful nation kindness': 's5t;e l;g hope;l na;n k9d;s',
    'payment city': 'pay;t c;y',
  },
  shortforms: {
    'Your friend said it was good.': ',yr fr sd x 0 gd4',
    'because before children must themselves': '2c 2f *n m/ !mvs',
    friendship: 'fr%ip',
  },
  'numbers, and the letters that look like them': {
    'in 2020 30 people': '9 #bjbj #cj p',
    'rooms 12 14 16': 'rooms #ab #ad #af',
    '20\u00a0000 people': '#bj"jjj p',
    '1234567890': '#abcdefghij',
    '1,000.50': '#a1jjj4ej',
    '10:30': '#aj3#cj',
    '3a 3k': '#c;a #ck',
    '7th': '#gth',
    '1980s': '#aihjs',
  },
  'capitals: letter, word, passage and the end of one': {
    Paris: ',p>is',
    USA: ',,usa',
    McDonald: ',mc,donald',
    VIPs: ",,vip,'s",
    'NEW YORK': ',,new ,,york',
    'THE END IS NEAR': ",,,! 5d is ne>,'",
  },
  'letters that would read as words carry a grade 1 sign': {
    'plan B': 'plan ;,b',
    'a b c': 'a ;b ;c',
    'x = y': ';x "7 ;y',
    Al: ';,al',
  },
  punctuation: {
    'red, white; blue: yes!': 'r$1 :ite2 blue3 yes6',
    'Who?': ',:o8',
    "can't it's don't": "c't x's don't",
    '“Hello,” she said.': '8,hello10 %e sd4',
    '‘Hello’': ',8,hello,0',
    'ice-cream': 'ice-cr1m',
    'no—yes': 'no,-yes',
    'Well…': ',well444',
    'and/or': '&_/or',
    '(see page 2)': '"<see page #b">',
  },
  signs: {
    '$5 £3.50 €9': '@s#e @l#c4ej @e#i',
    '50%': '#ej.0',
    'me@home.org': 'me@ahome4org',
    'AT&T': ',,at@&,t',
    café: 'caf^/e',
  },
}

describe('Unified English Braille, grade 2', () => {
  for (const [rule, answers] of Object.entries(rules)) {
    test.each(Object.entries(answers))(`${rule}: %s`, (text, ascii) => {
      expect(display(translate(text).cells)).toBe(`${ascii}\r\n`)
    })
  }
})
