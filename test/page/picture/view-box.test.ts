import t from 'tap';
import {
  firstView,
  moved,
  scaleIn,
  spotAt,
  type ViewBox,
  viewBoxText,
  wholeOf,
  zoomed,
} from '../../../src/page/picture/view-box.ts';

const WHOLE = wholeOf('0.00 0.00 1200.00 600.00');

t.test('at first all is shown, on a phone what can be read', async (t) => {
  const rows: readonly (readonly [width: number, height: number, text: string])[] = [
    [1_100, 550, '0.00 0.00 1200.00 600.00'],
    [600, 300, '0.00 0.00 1200.00 600.00'],
    [340, 255, '400.00 0.00 400.00 300.00'],
  ];
  for (const [width, height, text] of rows)
    t.equal(viewBoxText(firstView(WHOLE, { width, height })), text, `${width}`);
  const small = wholeOf('0.00 0.00 300.00 200.00');
  t.equal(firstView(small, { width: 340, height: 255 }), small, 'which can be all of it');
});

t.test('looking around in a picture', async (t) => {
  const rows: readonly (readonly [title: string, view: ViewBox, text: string])[] = [
    ['all of it', WHOLE, '0.00 0.00 1200.00 600.00'],
    ['closer, to the middle', zoomed(WHOLE, 2, WHOLE), '300.00 150.00 600.00 300.00'],
    [
      'closer, to a corner, which stays where it is',
      zoomed(WHOLE, 2, WHOLE, { across: 0, down: 1 }),
      '0.00 300.00 600.00 300.00',
    ],
    ['no closer than is of use', zoomed(WHOLE, 1_000, WHOLE), '550.00 275.00 100.00 50.00'],
    ['no further away than all of it', zoomed(WHOLE, 0.5, WHOLE), '0.00 0.00 1200.00 600.00'],
    ['there and back', zoomed(zoomed(WHOLE, 2, WHOLE), 0.5, WHOLE), '0.00 0.00 1200.00 600.00'],
    ['to the right by a half, and up', moved(WHOLE, 0.5, -0.25, WHOLE), '600.00 -150.00 1200.00 600.00'],
    ['never out of it', moved(WHOLE, 9, 9, WHOLE), '600.00 300.00 1200.00 600.00'],
  ];
  for (const [title, view, text] of rows) t.equal(viewBoxText(view), text, title);
});

t.test('where a point of the screen is in a picture that fits a frame of another shape', async (t) => {
  const frame = { width: 600, height: 600 };
  t.equal(scaleIn(frame, WHOLE), 0.5, 'it is as wide as the frame');
  t.same(spotAt({ x: 300, y: 300 }, frame, WHOLE), { across: 0.5, down: 0.5 }, 'the middle');
  t.same(spotAt({ x: 0, y: 150 }, frame, WHOLE), { across: 0, down: 0 }, 'its upper left corner');
  t.same(spotAt({ x: 600, y: 450 }, frame, WHOLE), { across: 1, down: 1 }, 'the lower right one');
});
