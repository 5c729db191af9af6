package dev.leasehold.spring.exclusive;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads the texts of annotations: placeholders once, expressions at each call. Thread-safe. */
final class Expressions {

    private static final TemplateParserContext TEMPLATE = new TemplateParserContext();

    private final ConfigurableListableBeanFactory beans;
    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final ParameterNameDiscoverer parameters = new DefaultParameterNameDiscoverer();

    Expressions(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** A text that may have expressions in it. */
    NameExpression template(String text) {
        if (!text.contains(TEMPLATE.getExpressionPrefix())) {
            return call -> text;
        }
        Expression expression = parsed(text, Optional.of(TEMPLATE));
        return call -> evaluated(expression, context(call), text);
    }

    /** In a template a part that is null would become nothing, and different calls would share a lease. */
    private static String evaluated(Expression expression, EvaluationContext context, String text) {
        if (expression instanceof CompositeStringExpression composite) {
            return Arrays.stream(composite.getExpressions())
                    .map(part -> evaluated(part, context, text))
                    .collect(Collectors.joining());
        }
        String value = expression.getValue(context, String.class);
        if (value == null) {
            throw new IllegalArgumentException("the expression #{" + expression.getExpressionString()
                    + "} of the name \"" + text + "\" gives null");
        }
        return value;
    }

    /** An expression for a value of that type; a constant one is evaluated here, to see that it can be. */
    ValueExpression value(String text, TypeDescriptor type, Call specimen) {
        Expression expression = parsed(text, Optional.empty());
        ValueExpression value = call -> {
            EvaluationContext context = context(call);
            Object given = expression.getValue(context);
            if (given == null && type.isPrimitive()) {
                throw new IllegalArgumentException(
                        "the expression \"" + text + "\" gives null, but the method returns " + type.getName());
            }
            return context.getTypeConverter().convertValue(given, TypeDescriptor.forObject(given), type);
        };
        if (specimen.target() != null && isConstant(text)) {
            Object unused = value.of(specimen);
        }
        return value;
    }

    /** Without beans, types, parameters and calls it is the same at the start as ever. */
    private static boolean isConstant(String text) {
        return text.chars().noneMatch(character -> "@#(".indexOf(character) >= 0);
    }

    private Expression parsed(String text, Optional<TemplateParserContext> template) {
        try {
            return template.isPresent() ? parser.parseExpression(text, template.get()) : parser.parseExpression(text);
        } catch (ParseException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no expression: " + e.getMessage(), e);
        }
    }

    private EvaluationContext context(Call call) {
        var context = new MethodBasedEvaluationContext(
                call.target() == null ? Expressions.class : call.target(),
                call.method(),
                call.arguments().toArray(),
                parameters);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return context;
    }
}
