import type { Gaps } from '@icosa/module'

export const unsupported = {
  xml: { name: 'paths with `.xml`', answer: 404, instead: 'Use `.json`, or the path alone.' },
  otherFormats: {
    name: '`application/xml` and `application/js` (JSONP)',
    answer: 'no effect',
    instead: 'The response is JSON, even if `Accept` names one of them.',
  },
  pictures: {
    name: 'pictures at an address of their own',
    answer: 'differs',
    instead: 'Each `<img>` holds its picture.',
  },
  lines: {
    name: 'lines of the width of a display, and indented paragraphs',
    answer: 'differs',
    instead: 'Lines are not wrapped and paragraphs not indented. Wrap them for your display.',
  },
  contractions: {
    name: 'the older English braille of its examples',
    answer: 'differs',
    instead: 'Unified English Braille, grade 2, unless you choose another `table`.',
  },
} as const satisfies Gaps
