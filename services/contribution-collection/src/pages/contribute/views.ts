import { attribute, type Html, html, type Page } from '@icosa/pages'
import type { AssignmentRow } from '../../assignments/store.ts'
import type { MediaFile } from '../../media/store.ts'
import { page } from '../layout.ts'
import { maxFiles } from './form.ts'
import { script } from './script.ts'
import type { Filled } from './submission.ts'

export interface ContributePage {
  readonly assignment: AssignmentRow
  /** Path of this page. */
  readonly path: string
  readonly token: string
  readonly filled: Filled
  readonly files: readonly Pick<MediaFile, 'id' | 'type' | 'size'>[]
  readonly cover?: string | undefined
  readonly problem?: string | undefined
}

const nouns = { image: 'Picture', video: 'Film', audio: 'Recording' }
const megabytes = (size: string) => `${(Number(size) / 1e6).toFixed(1)} MB`

function filesPart({ files, assignment }: ContributePage): Html {
  return html`<fieldset id="files"><legend>Pictures, films, recordings</legend>
<ul class="files" aria-live="polite">${files.map(
    ({ id, type, size }) => html`<li><span>${nouns[type]}, ${megabytes(size)}: received</span>
<input type="hidden" name="media" value="${id}"></li>`,
  )}</ul>
<div class="field"><label for="file">Choose from your phone${!assignment.mediaRequired && ' (optional)'}</label>
<input id="file" name="file" type="file" accept="image/*,video/*,audio/*" multiple aria-describedby="file-hint">
<p class="muted" id="file-hint">Up to ${maxFiles} files. Published copies do not contain the location stored by your camera.</p></div>
</fieldset>`
}

function placePart({ filled, path }: ContributePage): Html {
  const { latitude, longitude, placeName, view } = filled
  const query = new URLSearchParams({
    lat: String(view.latitude),
    lng: String(view.longitude),
    zoom: String(view.zoom),
  })
  if (latitude !== '' && longitude !== '') query.set('mark', `${latitude},${longitude}`)
  return html`<fieldset id="place"><legend>Where was it? (optional)</legend>
<div class="field"><label for="placeName">Name of the place</label>
<input id="placeName" name="placeName" maxlength="200" value="${placeName}" autocomplete="off"></div>
<p class="muted" id="map-hint">Click the map to choose a place and zoom in, or enter its coordinates below.</p>
<input type="image" name="map" id="map" formnovalidate src="${path}/map.svg?${query.toString()}" alt="World map: click the place" aria-describedby="map-hint">
<input type="hidden" name="mapLat" value="${view.latitude}"><input type="hidden" name="mapLng" value="${view.longitude}">
<input type="hidden" name="mapZoom" value="${view.zoom}">
<div class="pair"><div class="field"><label for="latitude">Latitude</label>
<input id="latitude" name="latitude" inputmode="decimal" autocomplete="off" value="${latitude}"></div>
<div class="field"><label for="longitude">Longitude</label>
<input id="longitude" name="longitude" inputmode="decimal" autocomplete="off" value="${longitude}"></div></div>
<button class="secondary" name="map" value="world" formnovalidate>Show the whole world</button>
</fieldset>`
}

export function contributePage(view: ContributePage): Page {
  const { assignment, token, filled, problem, cover } = view
  const { name, description, callToAction, allowsAnonymous } = assignment
  return page({
    title: name,
    problem,
    script,
    style: '.cover{width:100%;height:auto;border-radius:var(--radius)}',
    content: html`${cover !== undefined && html`<img class="cover" src="${cover}" alt="">`}
<div><h1>${name}</h1>${description !== null && html`<p>${description}</p>`}</div>
<form method="post" enctype="multipart/form-data">
<input type="hidden" name="form" value="${token}">
<div class="field"><label for="headline">${callToAction ?? 'What have you seen?'}</label>
<input id="headline" name="headline" maxlength="200" value="${filled.headline}"></div>
<div class="field"><label for="body">Tell us more (optional)</label>
<textarea id="body" name="body" maxlength="10000">${filled.body}</textarea></div>
${filesPart(view)}
${placePart(view)}
<div class="field"><label for="attribution">Your name${allowsAnonymous && ' (optional)'}</label>
<input id="attribution" name="attribution" maxlength="200" autocomplete="name" value="${filled.attribution}"${attribute('required', !allowsAnonymous)}></div>
<div class="check"><input type="checkbox" id="consent" name="consent" value="yes" required${attribute('checked', filled.hasConsent)}>
<label for="consent">This is mine, or I may share it. It may be published under the name above.</label></div>
<button id="send">Send</button>
</form>`,
  })
}

export function receiptPage({ name, receiptMessage }: AssignmentRow, id: string): Page {
  return page({
    title: `Thank you – ${name}`,
    content: html`<h1>Thank you</h1>
<p>${receiptMessage ?? 'We have received it. A moderator will review it before publication.'}</p>
<p class="muted">Your contribution number is ${id}.</p>
<a class="button secondary" href="?">Send something else</a>`,
  })
}
