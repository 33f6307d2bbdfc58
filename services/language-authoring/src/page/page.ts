import { html, page } from '@icosa/pages'
import { keyHeaders } from '../names.ts'
import { script } from './script.ts'

const style = `body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem } #sentence { width: 30rem; max-width: 100% }
output { display: block; white-space: pre-wrap; min-height: 1.5rem } canvas { max-width: 100% }`

export const askingPage = page({
  title: 'Language',
  style,
  script,
  may: ['ask'],
  content: html`<main data-header="${keyHeaders[0]}"><h1>Language</h1>
<p><label>Key <input id="key" value="icosa-dev-key"></label> <label>App <select id="app"></select></label>
<label>Slot <select id="slot"><option>production</option><option>staging</option></select></label></p>
<p><label>Sentence <input id="sentence" value="hello"></label> <button id="ask">Ask</button></p><output id="result"></output>
<h2>Confusion matrix</h2>
<p><label>A file of utterances with their intents, or an exported app <input id="file" type="file" accept="application/json,.json"></label></p>
<output id="progress"></output><canvas id="matrix" width="1" height="1" role="img" aria-label="A row for each expected intent, a column for each predicted one"></canvas></main>`,
})
