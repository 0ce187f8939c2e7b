from hypothesis import given, settings, strategies as st
from octavo.content.markdown import parse, print_page
from tests.content.test_parse_laws import PARTS, WORDS, bare
@settings(max_examples=3000, deadline=None)
@given(st.lists(PARTS | WORDS, max_size=40).map("".join))
def test_law1(s):
    p=parse(s); assert print_page(p.document,front=p.front,title=p.title,base=p)==s
@settings(max_examples=3000, deadline=None)
@given(st.lists(PARTS | WORDS, max_size=30).map("".join))
def test_law2(s):
    open('/tmp/last','w').write(s)
    p=parse(s); t=print_page(p.document,front=p.front,title=p.title); open('/tmp/last2','w').write(t); q=parse(t)
    assert bare(q.document)==bare(p.document), t
