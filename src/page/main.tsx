/**
 * The page that the service shows in browsers.
 *
 * The address says what is shown (`model/page-url`): the start page with the form (`form/`), a job, or what is wrong with
 * the address. A job is followed until it ends (`model/follow-job`, `live/`); then `result/` shows what came of it and is
 * loaded only then, with the picture (`picture/`), which a worker draws. Servers that are switched off are evaluated anew
 * in another worker (`result/what-if-worker`). `model/` has all that needs no browser, which the tests read; the other
 * folders are components. The page speaks to the service that it came from only (`service-api`), runs no inline script
 * and loads nothing from elsewhere. `style/` is one style sheet, with all colours in `tokens.css`.
 */
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { applyTheme, keptTheme } from './shell/theme.ts';
import { trustOwnScripts } from './shell/trusted-scripts.ts';

trustOwnScripts();
applyTheme(keptTheme());
const place = document.getElementById('page');
if (place !== null) render(<App />, place);
