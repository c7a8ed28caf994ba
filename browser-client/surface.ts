/** Where the frame is shown. `hide` leaves it alive, for the last words of the form; removing `root` ends it. */
export interface Surface {
  root: HTMLElement
  hide(): void
}

export function showInContainer(frame: HTMLIFrameElement, container: Element): Surface {
  container.append(frame)
  return {
    root: frame,
    hide() {
      frame.style.display = 'none'
    },
  }
}
