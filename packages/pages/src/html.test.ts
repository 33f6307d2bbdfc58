import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attribute, html, raw, render, type Value } from './html.ts'
import { skeletonOf } from './testing/markup.ts'

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '" autofocus onfocus="alert(1)',
  '</title></textarea></p><svg onload=alert(1)>',
  '<!-- -->',
  '&lt;b&gt; &#x3c;i&#x3e;',
]
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...attacks),
  fc.string({ unit: fc.constantFrom(...'<>"\'&=/ a') }),
)

const positions: Readonly<Record<string, (text: string) => string>> = {
  text: (text) => render(html`<p>${text}</p>`),
  'text adjacent to text': (text) => render(html`<p>a${text}b${text}c</p>`),
  title: (text) => render(html`<title>${text}</title>`),
  textarea: (text) => render(html`<textarea name="a">${text}</textarea>`),
  'a value in double quotes': (text) => render(html`<input value="${text}" name="a">`),
  'a value in single quotes': (text) => render(html`<p title='${text}'>b</p>`).replaceAll("'", '"'),
  'a part of a value': (text) => render(html`<a href="/a/${text}?b=${text}">c</a>`),
  'an attribute': (text) => render(html`<input${attribute('value', text)}${attribute('required', true)}>`),
  'a list': (text) => render(html`<ul>${[text, text].map((item) => html`<li>${item}</li>`)}</ul>`),
  'markup in markup': (text) => render(html`<p>${html`<b>${text}</b>`}</p>`),
}

describe.each(Object.entries(positions))('as %s', (_, write) => {
  test('a text never creates elements or attributes', () => {
    const expected = skeletonOf(write('harmless'))
    fc.assert(
      fc.property(hostile, (text) => {
        expect(skeletonOf(write(text))).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})

test('escapes each of the five special characters once', () => {
  expect(render(html`<p title="${'"'}">${`<b> & 'c' &amp;`}</p>`)).toBe(
    '<p title="&quot;">&lt;b&gt; &amp; &#39;c&#39; &amp;amp;</p>',
  )
})

test('writes numbers, joins lists, and omits undefined and false', () => {
  expect(render(html`${1}${0}${[html`<b>x</b>`, ['y', undefined]]}${undefined}${false}`)).toBe('10<b>x</b>y')
  expect(
    render(html`<i${[attribute('a', undefined), attribute('b', false), attribute('c', ''), attribute('d', 5)]}></i>`),
  ).toBe('<i c="" d="5"></i>')
  expect(render(html`${raw`<hr>`}`)).toBe('<hr>')
})

test.each<[string, (value: Value) => unknown]>([
  ['an unquoted attribute', (value) => html`<p title=${value}>a</p>`],
  ['the name of an attribute', (value) => html`<p ${value}="a">b</p>`],
  ['the name of an element', (value) => html`<${value}>`],
])('refuses %s', (_, write) => {
  expect(() => write('x onclick=alert(1)')).toThrow(/quotes/)
  expect(() => write(['x'])).toThrow(/quotes/)
  expect(() => write(1)).toThrow(/quotes/)
})

test('allows markup only between tags, and attributes only inside them', () => {
  expect(() => html`<p title="${html`<b>x</b>`}">a</p>`).toThrow(/between tags/)
  expect(() => html`<p${html`a`}>a</p>`).toThrow(/between tags/)
  expect(() => html`<p>${attribute('a', 'b')}</p>`).toThrow(/inside a tag/)
  expect(() => html`<p title="${'a'}`).toThrow(/ends inside a tag/)
})

test('an untrusted object is not markup, even if it looks like it', () => {
  const forged = JSON.parse('{"markup":"<script>","Symbol(markup)":"<script>"}')
  expect(render(html`<p>${forged}</p>`)).not.toContain('<script>')
})
